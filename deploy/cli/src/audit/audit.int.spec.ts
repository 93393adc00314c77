import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { freePort } from '@sluice/embedded';
import type { EventToAppend } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { anEvent, aRefusal } from '../testing/an-event.ts';
import { sluice } from '../testing/sluice.ts';

interface Entry {
  readonly action: string;
  readonly refusal: { readonly status: number; readonly reason: string } | null;
  readonly changes: readonly { readonly before?: unknown; readonly after: unknown }[];
}

const refusalCount = 400;
const renameCount = 300;
/** An append takes so many. */
const batchMax = 50;
let url = '';
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-audit-'));
  cleanUps.push(() => rm(directory, { recursive: true, force: true }));
  const server = await startEventStoreServer({ directory, port: 0 });
  cleanUps.push(() => server.stop());
  ({ url } = server);
  const store = await connectEventStore({ url });
  cleanUps.push(() => store.stop());
  const write = async (stream: string, events: readonly EventToAppend[]) => {
    for (let from = 0; from < events.length; from += batchMax)
      await store.append(stream, events.slice(from, from + batchMax), 'any');
  };
  await write('audit-org_1', times(refusalCount, aRefusal));
  await write(
    'apiKey-7f3a',
    times(renameCount, (name) => anEvent('ApiKeyRenamed', { name })),
  );
});
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

describe('an audit of several hundred entries', () => {
  test('shows all of them and exits with 0', async () => {
    const entries = await jsonEntries('--limit', '10000');
    equal(entries.length, refusalCount + renameCount);
  });

  test('shows why each refusal was one, and no difference to another refusal', async () => {
    const refused = await jsonEntries('--action', 'api_key.create', '--limit', '10000');
    deepEqual(
      refused.map(({ refusal, changes }) => [refusal?.reason, changes]),
      times(refusalCount, (reason) => [reason, []]),
    );
    const { out } = await audit('--action', 'api_key.create', '--limit', '1');
    match(out, /^\S+ {2}refused {2}api_key\.create .*\n {2}403 number 399\n1 entries\.\n$/);
  });

  test('compares each change with the one before it, shown or not', async () => {
    const renamed = await jsonEntries('--action', 'api_key.renamed', '--limit', '250');
    deepEqual(
      renamed.map(({ changes: [change] }) => [change?.before, change?.after]),
      times(renameCount, (name, before) => [before, name]).slice(-250),
    );
  });
});

describe('an audit that cannot be read', () => {
  test('is an error and no empty audit where the store is away', async () => {
    const env = { SLUICE_EVENTSTORE_URL: `esdb://127.0.0.1:${await freePort()}?tls=false` };
    const { code, out, error } = await sluice(['audit'], env);
    deepEqual([code, out], [1, '']);
    match(error, /^The event store cannot be used now: .+\n$/);
  });

  test('names the CA file that is missing, and no password', async () => {
    const path = join(tmpdir(), 'no-such-ca.crt');
    const env = { SLUICE_EVENTSTORE_URL: `esdb://admin:secret@a:1,b:2?tls=true&tlsCAFile=${path}` };
    deepEqual(await sluice(['audit'], env), {
      code: 1,
      out: '',
      error: `The event store cannot be used now: The CA file ${path} of the event store URL cannot be read (ENOENT).\n`,
    });
  });

  test('is refused with wrong credentials', async () => {
    const env = { SLUICE_EVENTSTORE_URL: url.replace(/:[^:@]+@/, ':wrong-password@') };
    const { code, out, error } = await sluice(['audit'], env);
    deepEqual([code, out], [1, '']);
    match(error, /^The event store cannot be used now: The event store refused the credentials/);
  });
});

function times<Made>(count: number, make: (name: string, before: string) => Made): Made[] {
  return Array.from({ length: count }, (_, n) => make(`number ${n}`, `number ${n - 1}`));
}

async function audit(...words: readonly string[]) {
  const { code, out, error } = await sluice(['audit', ...words], { SLUICE_EVENTSTORE_URL: url });
  deepEqual([code, error.includes('Warning')], [0, false]);
  return { out };
}

async function jsonEntries(...words: readonly string[]): Promise<readonly Entry[]> {
  const { out } = await audit('--json', ...words);
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
}
