import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { booksOf, readReceipts } from './books.ts';

const migrations = fileURLToPath(
  new URL('migrations', import.meta.resolve('@sluice/ledger/service')),
);
let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database?.drop());

const run = (text: string) => database.query({ text, values: [] });
const audit = async () => String(await booksOf(database).audit());

async function addRow(usageId: string, generationId: string, costNanoUsd: number): Promise<void> {
  await run(`INSERT INTO usage_facts VALUES ('${usageId}', '${generationId}', 'req', 'acct', 'ws', 'key',
    'sim/chaos-1', 'simulator', 'resp_1', 1, 0, 1, 0, ${costNanoUsd}, false, true, 'completed', 'stop', false,
    '2026-11-22T23:59:59.999Z', '2026-11-23T00:00:01Z', 'replica', 1, 1)`);
  await addTransfer(usageId, 1, costNanoUsd);
}

const addTransfer = (usageId: string, line: number, amountNanoUsd: number) =>
  run(`INSERT INTO transfers (amount_nano_usd, line, entry_kind, entry_id, account_id, from_book, to_book)
    VALUES (${amountNanoUsd}, ${line}, 'usage', '${usageId}', 'acct', 'credits', 'revenue')`);

async function addCounters(amountNanoUsd: number): Promise<void> {
  const places = [
    ['account', 'acct', 'lifetime', '1970-01-01'],
    ['key', 'key', 'lifetime', '1970-01-01'],
    ['key', 'key', 'daily', '2026-11-22'],
    ['key', 'key', 'weekly', '2026-11-16'],
    ['key', 'key', 'monthly', '2026-11-01'],
    ['workspace', 'ws', 'lifetime', '1970-01-01'],
    ['workspace', 'ws', 'daily', '2026-11-22'],
    ['workspace', 'ws', 'weekly', '2026-11-16'],
    ['workspace', 'ws', 'monthly', '2026-11-01'],
  ];
  for (const [kind, id, window, day] of places)
    await run(`INSERT INTO counters
      VALUES ('acct', '${kind}', '${id}', '${window}', '${day}T00:00:00Z', ${amountNanoUsd}, 0)`);
}

const addLimit = (kind: string, id: string, limitNanoUsd: number) =>
  run(`INSERT INTO limits VALUES ('acct', '${kind}', '${id}', 'lifetime', ${limitNanoUsd}, false)`);

describe('the books', () => {
  test('are right when every counter is the sum of its rows', async () => {
    await addRow('gen-1/1/1', 'gen-1', 40);
    await addRow('gen-2/1/1', 'gen-2', 2);
    await addCounters(42);
    equal(await audit(), '');
  });

  test('are wrong when a guardrail does not count a request that it applied to', async () => {
    await addRow('gen-1/1/1', 'gen-1', 42);
    await addCounters(42);
    await run(`UPDATE usage_facts SET guardrail_scopes = '{g1:key:key}'`);
    match(await audit(), /guardrail g1:key:key weekly counts nothing where its rows say 42/);
  });

  test('hold the usage of a BYOK credential, its fee, and its free part', async () => {
    await addRow('gen-1/1/1', 'gen-1', 42);
    await addCounters(2);
    await run(`UPDATE usage_facts SET is_byok = true, fee_nano_usd = 2, free_nano_usd = 10`);
    await addTransfer('gen-1/1/1', 4, 2);
    match(
      await audit(),
      /account acct lifetime counts 2 where its rows say 2, and 0 of own for 42/,
    );
    await run('UPDATE counters SET byok_nano_usd = 42');
    match(await audit(), /allowance acct monthly counts nothing where its rows say 0/);
    await run(
      `INSERT INTO counters VALUES ('acct', 'allowance', 'acct', 'monthly', '2026-11-01', 0, 10)`,
    );
    equal(await audit(), '');
    await addLimit('key', 'key', 43);
    equal(await booksOf(database).overspendNanoUsd(), 0n);
    await run('UPDATE limits SET include_byok = true');
    equal(await booksOf(database).overspendNanoUsd(), 1n);
  });

  test('give the rows, and which of them are open', async () => {
    await addRow('gen-1/1/1', 'gen-1', 40);
    const [row] = await booksOf(database).rows();
    equal(row?.upstreamId, 'resp_1');
    equal(row?.costNanoUsd, 40n);
    equal(row?.suspendedNanoUsd, undefined);
  });

  test('are wrong when a counter says more, or is there without rows, or is missing', async () => {
    await addCounters(43);
    match(await audit(), /key key daily counts 43 where its rows say nothing/);
    await addRow('gen-1/1/1', 'gen-1', 42);
    match(await audit(), /key key weekly counts 43 where its rows say 42/);
    await run('DELETE FROM counters');
    match(await audit(), /account acct lifetime counts nothing where its rows say 42/);
  });

  test('are wrong when a turn has two rows', async () => {
    await addRow('gen-1/1/1', 'gen-1', 40);
    await addRow('gen-1/2/1', 'gen-1', 2);
    await addCounters(42);
    equal(await audit(), 'turn 1 of generation gen-1 has 2 rows');
  });

  test('have a row for each turn and each call of a tool', async () => {
    await addRow('gen-1/1/1', 'gen-1', 10);
    await addRow('gen-1/tool/1', 'gen-1', 20);
    await addRow('gen-1/tool/2', 'gen-1', 10);
    await addRow('gen-1/1/2', 'gen-1', 2);
    await addCounters(42);
    equal(await audit(), '');
  });

  test('are wrong when money moved that no row cost, or none moved', async () => {
    await addRow('gen-1/1/1', 'gen-1', 42);
    await addCounters(42);
    await addTransfer('gen-2/1/1', 1, 5);
    equal(await audit(), 'account acct has spent 47 in the books where its rows cost 42');
    await run('DELETE FROM transfers');
    equal(await audit(), 'account acct has spent 0 in the books where its rows cost 42');
  });

  test('are wrong with a gap, a dead letter, or a lease that paid more than was granted', async () => {
    await run(
      `INSERT INTO watermarks VALUES ('a', 1, '{[1,5)}'), ('a', 2, '{[1,3),[4,6)}'), ('a', 3, '{[2,4)}')`,
    );
    await run(`INSERT INTO dead_letters VALUES ('digest', 'subject', NULL, 'not JSON', '')`);
    await run(`INSERT INTO leases VALUES
      ('a', 1, 1, 'acct', 'key', 'key', 'lifetime', 'epoch', 10, 4, 6),
      ('a', 1, 2, 'acct', 'key', 'key', 'lifetime', 'epoch', 10, 4, 7)`);
    deepEqual((await booksOf(database).audit()).toSorted(), [
      'dead letter: not JSON',
      'epoch 2 of a has gaps: {[1,3),[4,6)}',
      'epoch 3 of a has gaps: {[2,4)}',
      'lease 2 of epoch 1 paid for more than was granted',
    ]);
  });

  test('know by how much limits are overspent, each for itself', async () => {
    await addCounters(40);
    await addLimit('account', 'acct', 35);
    await addLimit('key', 'key', 38);
    await addLimit('key', 'other key', 1);
    await addLimit('workspace', 'ws', 30);
    await addLimit('workspace', 'other', 1);
    equal(await booksOf(database).overspendNanoUsd(), 17n);
    await run('UPDATE limits SET limit_nano_usd = 40');
    equal(await booksOf(database).overspendNanoUsd(), 0n);
    await run(`INSERT INTO suspended VALUES ('acct', 'key', 'key', 'lifetime', 'epoch', 2, 0)`);
    await run(`INSERT INTO leases VALUES
      ('a', 1, 1, 'acct', 'key', 'key', 'lifetime', 'epoch', 10, 4, 5)`);
    equal(await booksOf(database).overspendNanoUsd(), 3n);
  });
});

describe('the receipts', () => {
  test('are read without a last line that is still being written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'receipts-'));
    const file = join(folder, 'receipts.jsonl');
    await writeFile(file, '{"id":"resp_1"}\n{"id":"resp_');
    deepEqual(await readReceipts(file), [{ id: 'resp_1' }]);
    await writeFile(join(folder, 'receipts-searches.jsonl'), '{"id":"exa1","engine":"exa"}\n{');
    deepEqual(await readReceipts(file), [{ id: 'resp_1' }, { id: 'exa1', engine: 'exa' }]);
    await rm(folder, { recursive: true });
  });
});
