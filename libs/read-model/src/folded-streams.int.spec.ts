import { deepEqual, equal } from 'node:assert/strict';
import { eventCodec, type EventOf, fold, type RecordedEvent } from '@sluice/es';
import fc from 'fast-check';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { endStreams, foldStreams, parseFoldedState } from './index.ts';
import { recordedEvents, testDatabase, type TestDatabase } from './testing.ts';

const counts = {
  category: 'count',
  id: '<id>',
  description: 'For the spec.',
  events: {
    Begun: Type.Object({ accountId: Type.String() }),
    Added: Type.Object({ amount: Type.String() }),
  },
};
type CountEvent = EventOf<typeof counts>;

interface Count {
  readonly accountId?: string;
  readonly sum: bigint;
  readonly amounts: readonly { readonly amount: bigint }[];
}

const decider = {
  initial: { sum: 0n, amounts: [] } as Count,
  evolve(count: Count, event: CountEvent): Count {
    if (event.type === 'Begun') return { ...count, accountId: event.data.accountId };
    const amount = BigInt(event.data.amount);
    return { ...count, sum: count.sum + amount, amounts: [...count.amounts, { amount }] };
  },
};
const codec = eventCodec(counts);
const applyCounts = foldStreams({
  table: 'counts',
  streamPrefix: 'count-',
  ...decider,
  codec,
  accountIdOf: ({ accountId }) => accountId,
});

let database: TestDatabase;
beforeAll(async () => {
  const migrations = new URL('./fixtures/migrations', import.meta.url).pathname;
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
  const text = `CREATE TABLE counts (id text PRIMARY KEY, account_id text NOT NULL,
                  revision bigint NOT NULL, state jsonb NOT NULL)`;
  await database.query({ text, values: [] });
});
afterAll(() => database.drop());

const apply = (events: readonly RecordedEvent[]) =>
  database.transaction((transaction) => applyCounts(transaction, events));

async function rows(): Promise<ReadonlyMap<string, readonly [string, bigint, Count]>> {
  const found = await database.query<{
    id: string;
    accountId: string;
    revision: bigint;
    state: string;
  }>({
    text: 'SELECT id, account_id AS "accountId", revision, state::text AS state FROM counts',
    values: [],
  });
  return new Map(
    found.map(({ id, accountId, revision, state }) => [
      id,
      [accountId, revision, parseFoldedState(state) as Count],
    ]),
  );
}

const huge = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
/** The amounts that each of up to four streams adds; then at which events batches end. */
const histories = fc.record({
  streams: fc.array(fc.array(huge, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  batchSizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
  replayed: fc.nat(),
});

describe('the table of a folded category', () => {
  test('holds each stream as its decider folds it, however batches are cut or repeated', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ streams, batchSizes, replayed }) => {
        await database.query({ text: 'TRUNCATE counts', values: [] });
        const all = streams.map((amounts, index) =>
          recordedEvents(
            `count-${index}`,
            { type: 'Begun', data: { accountId: `org_${index}` } },
            ...amounts.map((amount) => ({ type: 'Added', data: { amount: amount.toString() } })),
          ),
        );
        const events = interleaved(all);
        for (let from = 0, batch = 0; from < events.length; batch++) {
          const size = batchSizes[batch % batchSizes.length] ?? 1;
          await apply(events.slice(from, from + size));
          from += size;
        }
        const again = events[replayed % events.length];
        if (again) await apply([again]);
        await apply(events);
        const expected = all.map((stream, index) => {
          const state = fold(
            decider,
            stream.map((recorded) => codec.decode(recorded)),
          );
          return [`${index}`, [`org_${index}`, BigInt(stream.length - 1), state]] as const;
        });
        deepEqual(await rows(), new Map(expected));
      }),
      { numRuns: 25 },
    );
  });

  test('has no row of a stream that does not say whose it is', async () => {
    await database.query({ text: 'TRUNCATE counts', values: [] });
    await apply(recordedEvents('count-9', { type: 'Added', data: { amount: '1' } }));
    equal((await rows()).size, 0);
  });
});

describe('the row of a stream that is gone', () => {
  const ended: Count = { sum: 0n, amounts: [{ amount: -1n }] };
  const end = endStreams<Count>({ table: 'counts', streamPrefix: 'count-', state: ended });
  const events = recordedEvents(
    'count-1',
    { type: 'Begun', data: { accountId: 'org_1' } },
    { type: 'Added', data: { amount: '1' } },
    { type: 'Added', data: { amount: '2' } },
  );

  test.each([
    ['all of its events', 0, 3],
    ['some of them', 0, 2],
    ['none of them', 0, 0],
    ['the last, which a scavenged stream keeps', 2, 3],
  ])('is final and the same behind %s', async (_name, from, to) => {
    await database.query({ text: 'TRUNCATE counts', values: [] });
    await apply(events.slice(from, to));
    for (let times = 0; times < 2; times++)
      await database.transaction((transaction) => end(transaction, ['count-1', 'count-2']));
    await apply(events);
    const row = ['', 2n ** 63n - 1n, ended] as const;
    deepEqual(
      await rows(),
      new Map([
        ['1', row],
        ['2', row],
      ]),
    );
  });
});

/** One event of each stream after the other. */
function interleaved(streams: readonly (readonly RecordedEvent[])[]): readonly RecordedEvent[] {
  const longest = Math.max(...streams.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    streams.flatMap((stream) => stream[index] ?? []),
  ).flat();
}
