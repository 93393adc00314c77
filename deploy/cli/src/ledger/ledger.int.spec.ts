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
  await run(`INSERT INTO postings VALUES ('credit', 'c-1', 1, 'acct_1', 'funding', '', -5),
    ('credit', 'c-1', 2, 'acct_1', 'credits', '', 5)`);
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
