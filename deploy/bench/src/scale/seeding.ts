import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { RecordedEvent } from '@sluice/es';
import { maskApiKey, mintApiKey } from '@sluice/api-key';
import { localSecrets } from '@sluice/local';
import type { Client } from '../management/client.ts';
import { firstEventOf, writeCopies } from './copies.ts';

/** One event of each kind, as the product wrote it. Copies are made from them. */
export interface Samples {
  readonly key: RecordedEvent;
  readonly guardrail: RecordedEvent;
}

/** Secrets of some of the keys that were made. */
export interface Secrets {
  readonly limited: readonly string[];
  readonly unlimited: readonly string[];
}

/** One key in so many has a limit of its own; those of the account hold for all. */
const limitedEvery = 10;
const limitedKeptMax = 10_000;
const unlimitedKeptMax = 250_000;

/** Asks a running product for a key with a limit and a guardrail with one. */
export async function takeSamples(eventStoreUrl: string, management: Client): Promise<Samples> {
  const wantedKey = { name: 'sample', limit: 1_000 };
  const key = JSON.parse(await management.send('POST', '/keys', wantedKey)) as {
    readonly data: { readonly hash: string };
  };
  const wantedGuardrail = { name: 'sample', limit_usd: 1_000, reset_interval: 'daily' };
  const guardrail = JSON.parse(await management.send('POST', '/guardrails', wantedGuardrail)) as {
    readonly data: { readonly id: string };
  };
  return {
    key: await firstEventOf(eventStoreUrl, `apiKey-${key.data.hash}`),
    guardrail: await firstEventOf(eventStoreUrl, `guardrail-${guardrail.data.id}`),
  };
}

/**
 * Makes so many keys of the account of the sample, as the key service would have written them, where the product
 * does not run: one in ten with the limit of the sample, the others without.
 */
export async function seedKeys(
  dataDirectory: string,
  sample: RecordedEvent,
  count: number,
): Promise<Secrets> {
  const { keyPepper } = await localSecrets(dataDirectory);
  const limited: string[] = [];
  const unlimited: string[] = [];
  await writeCopies(join(dataDirectory, 'eventstore'), sample, count, (index) => {
    const secret = mintApiKey('regular', randomBytes);
    const isLimited = index % limitedEvery === 0;
    if (isLimited && limited.length < limitedKeptMax) limited.push(secret);
    if (!isLimited && unlimited.length < unlimitedKeptMax) unlimited.push(secret);
    const hash = createHash('sha256').update(secret).digest('hex');
    const hmacSha256 = createHmac('sha256', keyPepper).update(secret).digest('hex');
    return {
      stream: `apiKey-${hash}`,
      data: {
        ...(sample.data as object),
        hash,
        digest: { pepperVersion: 1, hmacSha256 },
        label: maskApiKey(secret),
        name: `key ${index}`,
        ...(isLimited ? {} : { limitNanoUsd: null, limitReset: null }),
      },
    };
  });
  return { limited, unlimited };
}

/** Makes so many guardrails of the account, in the same way. */
export async function seedGuardrails(
  dataDirectory: string,
  sample: RecordedEvent,
  count: number,
): Promise<void> {
  const { guardrailId } = sample.data as { readonly guardrailId: string };
  const text = JSON.stringify(sample.data);
  await writeCopies(join(dataDirectory, 'eventstore'), sample, count, (index) => {
    const id = randomUUID();
    const own = JSON.parse(text.replaceAll(guardrailId, id)) as object;
    return { stream: `guardrail-${id}`, data: { ...own, name: `guardrail ${index}` } };
  });
}
