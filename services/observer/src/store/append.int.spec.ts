import { deepEqual, equal } from 'node:assert/strict';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { aFact } from '@sluice/usage-facts/testing';
import { inject, onTestFinished, test } from 'vitest';
import { writePart } from '../domain/part-text.ts';
import type { Part, Received } from '../domain/part.ts';
import { observerSchema } from '../schema.ts';
import { appendParts, beginLog, endOverdue } from './append.ts';

const place = { accountId: 'acct_1', workspaceId: 'ws_1' };
const begin = new Date('2026-11-27T10:00:00.000Z');
const minutesLater = (minutes: number) => new Date(begin.getTime() + minutes * 60_000);
const bounds = { quickMs: 60_000, longMs: 1_800_000, limit: 2 };

async function log(): Promise<TestDatabase> {
  const { migrations } = observerSchema;
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  await beginLog(database);
  return database;
}

const received = (generationId: string, name: string, part: Part): Received => ({
  ...place,
  generationId,
  name,
  part,
  body: writePart(part),
  contents: null,
});
const turn = (id: string, finishReason: string) =>
  received(id, `${id}/1/1`, {
    kind: 'fact',
    fact: aFact({ ...place, generationId: id, usageId: `${id}/1/1`, finishReason, hasEnd: true }),
  });
const end = (id: string, turns: number) =>
  received(id, 'end', {
    kind: 'end',
    end: { turns, endedAtMs: begin.getTime(), guardrailEvents: [], guardrailEventsOmitted: 0 },
  });

async function endAll(database: TestDatabase, now: Date): Promise<number> {
  let ended = 0;
  for (let after: Parameters<typeof endOverdue>[2]; ;) {
    const from = after;
    const page = await database.transaction((transaction) =>
      endOverdue(transaction, { ...bounds, now }, from),
    );
    ended += page.finished;
    after = page.last;
    if (!after) return ended;
  }
}

const logged = async (database: TestDatabase) =>
  (
    await database.query<{ id: string }>({
      text: 'SELECT generation_id AS id FROM generations ORDER BY seq',
      values: [],
    })
  ).map(({ id }) => id);

test('generations without their end are ended, however many others are still under way', async () => {
  const database = await log();
  const store = (parts: readonly Received[], now: Date) =>
    database.transaction((transaction) => appendParts(transaction, parts, now));
  const loops = Array.from({ length: 5 }, (_, index) => turn(`loop-${index}`, 'tool-calls'));
  equal(await store(loops, begin), 0);
  equal(await store([turn('answer-1', 'stop'), turn('answer-2', 'stop')], minutesLater(1)), 0);
  equal(await endAll(database, minutesLater(1.5)), 0);
  equal(await endAll(database, minutesLater(3)), 2);
  deepEqual(await logged(database), ['answer-1', 'answer-2']);
  equal(await endAll(database, minutesLater(31)), 5);
});

test('an end waits for its usage, which may come late', async () => {
  const database = await log();
  const store = (parts: readonly Received[], now: Date) =>
    database.transaction((transaction) => appendParts(transaction, parts, now));
  await store([{ ...end('answer', 1), contents: 'sealed' }], begin);
  equal(await endAll(database, minutesLater(20)), 0);
  equal(await store([turn('answer', 'stop')], minutesLater(21)), 1);
  const rows = await database.query({ text: 'SELECT contents FROM generations', values: [] });
  deepEqual(rows, [{ contents: 'sealed' }]);
});
