import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '@sluice/read-model';
import { inject, onTestFinished, test } from 'vitest';
import { sluice } from '../testing/sluice.ts';

const migrations = join(import.meta.dirname, '../../../../services/ledger/src/migrations');

/** The tables of a ledger with one credit of 5 nano-USD, in a database of the test. */
async function ledgerTables() {
  const name = `cli_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase({
    url: inject('postgresUrl'),
    schema: 'public',
    connectionsMax: 1,
  });
  await admin.query({ text: `CREATE DATABASE "${name}"`, values: [] });
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, schema: 'ledger', connectionsMax: 1 });
  const directory = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
  onTestFinished(async () => {
    await database.stop();
    await admin.query({ text: `DROP DATABASE "${name}" WITH (FORCE)`, values: [] });
    await admin.stop();
    await rm(directory, { recursive: true });
  });
  await migrate(database, migrations);
  const run = (text: string) => database.query({ text, values: [] });
  await run(`INSERT INTO credits VALUES ('c-1', 'acct_1', 'grant', 5, now())`);
  await run(`INSERT INTO limits VALUES ('acct_1', 'account', 'acct_1', 'lifetime', 5, false)`);
  await run(`INSERT INTO transfers VALUES (5, 1, 'credit', 'c-1', 'acct_1', 'funding', 'credits')`);
  return { run, directory, env: { SLUICE_POSTGRES_URL: url.href } };
}

test('a ledger is verified, and a limit that is not the sum of the credits is shown', async () => {
  const { run, env } = await ledgerTables();
  const good = await sluice(['ledger', 'rebuild', '--verify'], env);
  deepEqual([good.code, good.error], [0, '']);
  match(good.out, /The ledger is what its facts give \(0 usage facts and 1 credit\)\.\n$/);
  await run('UPDATE limits SET limit_nano_usd = 6');
  const bad = await sluice(['ledger', 'rebuild', '--verify'], env);
  deepEqual([bad.code, bad.error], [1, '']);
  deepEqual(bad.out.split('\n').slice(0, 3), [
    'limits of accounts {"account_id" : "acct_1"}',
    '  stored    {"limit_nano_usd" : 6}',
    '  expected  {"limit_nano_usd" : 5}',
  ]);
  match(bad.out, /differs from what its facts give in 1 row /);
});

test('old facts are archived, and a verification reads the file', async () => {
  const { run, directory, env } = await ledgerTables();
  const folder = join(directory, 'archive');
  const archive = (...words: readonly string[]) =>
    sluice(['ledger', 'archive', '--older-than', '7', '--to', folder, ...words], env);
  const verify = (...words: readonly string[]) =>
    sluice(['ledger', 'rebuild', '--verify', ...words], env);
  match((await archive('--confirm')).out, /^Archived: 0 days\. Waiting: 0\.\n$/);
  await run(`INSERT INTO usage_facts (usage_id, generation_id, request_id, account_id, workspace_id, key_hash, model,
      provider, upstream_id, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_nano_usd, is_byok,
      streamed, outcome, finish_reason, estimated, admitted_at, completed_at, replica, epoch, sequence)
    VALUES ('g/1/1', 'g', 'r', 'acct_1', 'ws_1', 'k', 'm', 'p', '', 1, 0, 1, 0, 0, false, false, 'failed', 'stop',
      false, '2026-11-01T10:00:00Z', '2026-11-01T10:00:01Z', 'r', 1, 1)`);
  const asked = await archive();
  deepEqual([asked.code, asked.out], [0, '2026-11-01\nTo be archived with --confirm: 1 day.\n']);
  const done = await archive('--confirm');
  equal(
    done.out,
    '2026-11-01: 1 usage fact in sluice-ledger-2026-11-01.jsonl.gz\nArchived: 1 day. Waiting: 0.\n',
  );
  const unnamed = await verify();
  deepEqual(
    [unnamed.code, unnamed.error],
    [1, 'Facts are archived in 1 file: name their folder with --archive.\n'],
  );
  const named = await verify('--archive', folder, '--day', '2026-11-01');
  equal(named.code, 1);
  match(named.out, /\nactivity: 1 row, 1 differing\n/);
  match(named.out, /differs from what its facts give in .*\(1 usage fact and 1 credit\)\.\n$/);
  const replay = await sluice(['events', 'replay', '--from', '2026-11-01'], env);
  match(replay.error, /^The usage of the days before 2026-11-02 is archived\. Ask for usage from/);
});

test('receipts are reconciled, and one that was not counted is shown', async () => {
  const { directory, env } = await ledgerTables();
  const path = join(directory, 'receipts.csv');
  const reconcile = () => sluice(['ledger', 'reconcile', '--receipts', path], env);
  const absent = await reconcile();
  equal(absent.code, 1);
  match(absent.error, /^The receipts cannot be read: ENOENT/);
  await writeFile(path, 'id,input_tokens,output_tokens\n');
  equal((await reconcile()).code, 0);
  await writeFile(path, 'id,input_tokens,output_tokens\nresp_1,3,4\n');
  const { code, out } = await reconcile();
  equal(code, 1);
  match(out, /^missing_row "resp_1"\n {2}receipt {2}\{"input_tokens" : 3, .*\n {2}usage {4}none\n/);
  match(out, /\n1 receipt: 0 as counted, 1 difference; /);
  await writeFile(path, 'id,input_tokens,output_tokens\nresp_1,3\n');
  match((await reconcile()).error, /^Line 2 of the receipts has 2 cells/);
});

test('a write-off says first what it would be, and then does it', async () => {
  const { env } = await ledgerTables();
  const first = await sluice(['ledger', 'write-off', '--older-than', '30'], env);
  deepEqual([first.code, first.error], [0, '']);
  match(first.out, /^To be written off with --confirm: 0 estimates with 0\.00 USD of holds and 0/);
  const done = await sluice(['ledger', 'write-off', '--older-than', '30', '--confirm'], env);
  match(done.out, /^Written off: 0 estimates/);
});

test('receipts that are applied say what they changed', async () => {
  const { directory, env } = await ledgerTables();
  const path = join(directory, 'receipts.csv');
  await writeFile(path, 'id,input_tokens,output_tokens\n');
  const { code, out } = await sluice(['ledger', 'reconcile', '--receipts', path, '--apply'], env);
  equal(code, 0);
  match(
    out,
    /^Corrected by receipts: 0 estimates, and 0 that nothing was served of; 0\.00 USD more/,
  );
});

test('usage is rated at other prices, as a table, CSV and JSON', async () => {
  const { run, directory, env } = await ledgerTables();
  const columns = `(usage_id, generation_id, request_id, account_id, workspace_id, key_hash, model, provider,
    upstream_id, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost_nano_usd, is_byok, streamed,
    outcome, finish_reason, estimated, admitted_at, completed_at, replica, epoch, sequence)`;
  await run(`INSERT INTO usage_facts ${columns} SELECT 'g/' || n || '/1', 'g', 'r', 'acct_1', 'ws_1', 'k',
      CASE n WHEN 1 THEN 'sim/small' ELSE 'sim/other' END, 'sim', '', 10, 0, 20, 0, 50, false, false,
      'completed', 'stop', false, '2026-11-18', '2026-11-18', 'r', 1, n
    FROM generate_series(1, 2) AS n`);
  const path = join(directory, 'prices.yaml');
  const rerate = (...words: readonly string[]) =>
    sluice(['ledger', 'rerate', '--from', '2026-11-01', '--prices', path, ...words], env);
  match((await rerate('--dry-run')).error, /^The prices cannot be read: ENOENT/);
  await writeFile(path, 'models: [{ id: sim/small, provider: sim, upstream_model: small }]');
  match((await rerate('--dry-run')).error, /^The prices cannot be used\. Catalog: models\[0\]/);
  await writeFile(
    path,
    `models: [{ id: sim/small, provider: sim, upstream_model: small,
      pricing: { prompt: "0.000000001", completion: "0.000000001" } }]`,
  );
  const refused = await rerate();
  deepEqual([refused.code, refused.out], [2, '']);
  match(refused.error, /is not built\. Add --dry-run/);
  const table = await rerate('--dry-run');
  deepEqual([table.code, table.error], [0, '']);
  match(
    table.out,
    /^ACCOUNT +FACTS +CREDITS +RERATED +DIFFERENCE\nacct_1 +2 +0\.0000001 USD +0\.00000008 USD/,
  );
  match(table.out, / -0\.00000002 USD\n1 fact kept the price: the prices have no such model/);
  const csv = await rerate('--dry-run', '--csv', '--by', 'model');
  deepEqual(csv.out.split('\n').slice(1), [
    'acct_1,sim/other,1,1,50,50,0,0,0,0',
    'acct_1,sim/small,1,0,50,30,-20,0,0,0',
    '',
  ]);
  const { out } = await rerate('--dry-run', '--json');
  const { rows, total } = JSON.parse(out) as { rows: object[]; total: object };
  deepEqual(rows.length, 1);
  equal(Reflect.get(total, 'credits_difference_nano_usd'), '-20');
});
