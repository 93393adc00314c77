import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { maskApiKey, mintApiKey } from '@sluice/api-key';
import { localSecrets } from '@sluice/local';
import type { Client } from '../management/client.ts';
import { appendCopies, firstEventOf } from './copies.ts';

export interface SeedingOptions {
  readonly dataDirectory: string;
  readonly eventStoreUrl: string;
  readonly management: Client;
}

/** Of those that were made, as many as latencies are taken of. */
const keptMax = 20_000;

/** Makes so many keys of the account, as the key service would have written them. Returns some of their secrets. */
export async function seedKeys(
  { dataDirectory, eventStoreUrl, management }: SeedingOptions,
  count: number,
): Promise<readonly string[]> {
  const { keyPepper } = await localSecrets(dataDirectory);
  const sample = await management.send('POST', '/keys', { name: 'sample', limit: 1_000 });
  const { data } = JSON.parse(sample) as { data: { hash: string } };
  const event = await firstEventOf(eventStoreUrl, `apiKey-${data.hash}`);
  const secrets: string[] = [];
  const keepEvery = Math.max(1, Math.floor(count / keptMax));
  await appendCopies(eventStoreUrl, event, count, (index) => {
    const secret = mintApiKey('regular', randomBytes);
    if (index % keepEvery === 0) secrets.push(secret);
    const hash = createHash('sha256').update(secret).digest('hex');
    const hmacSha256 = createHmac('sha256', keyPepper).update(secret).digest('hex');
    return {
      stream: `apiKey-${hash}`,
      data: {
        ...(event.data as object),
        hash,
        digest: { pepperVersion: 1, hmacSha256 },
        label: maskApiKey(secret),
        name: `key ${index}`,
      },
    };
  });
  return secrets;
}

/** Makes so many guardrails of the account, in the same way. */
export async function seedGuardrails(
  { eventStoreUrl, management }: SeedingOptions,
  count: number,
): Promise<void> {
  const wanted = { name: 'sample', limit_usd: 1_000, reset_interval: 'daily' };
  const sample = await management.send('POST', '/guardrails', wanted);
  const { data } = JSON.parse(sample) as { data: { id: string } };
  const event = await firstEventOf(eventStoreUrl, `guardrail-${data.id}`);
  await appendCopies(eventStoreUrl, event, count, (index) => {
    const id = randomUUID();
    const own = JSON.parse(JSON.stringify(event.data).replaceAll(data.id, id)) as object;
    return { stream: `guardrail-${id}`, data: { ...own, name: `guardrail ${index}` } };
  });
}
