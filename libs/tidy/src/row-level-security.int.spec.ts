import { deepEqual, ok } from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { root } from './source.ts';

/** Tables that say of no row whose it is, and why nobody's rows are in them. To accounts they are closed. */
const ofNoAccount: Readonly<Record<string, string>> = {
  bus_reads: 'when the observer last read the bus',
  archives: 'which days of facts are in files',
  bus_places: 'how far the observer has read each stream of the bus',
  checkpoints: 'how far the projections are',
  migrations: 'what was applied',
  admission_reports: 'how far each replica has reported',
  closed_replicas: 'replicas whose disk is lost',
  dead_letters: 'messages that nobody could read: whose they are is not known',
  envelope_key_check: 'which keys the database is opened with',
  fact_log: 'the order in which facts were counted: only other services read it',
  known_events: 'the newest event that each projection of the installation has applied',
  known_log: 'the event log that the read models come from',
  log_end: 'the number of the last finished generation',
  log_marks: 'where events lie in that log, and their ids, streams and actors',
  pepper_checks: 'which peppers the keys of the database are digested under',
  replicas: 'which run of each replica is its last',
  skipped_events: 'events that the operator had a service leave out',
  progress: 'how far analytics is, and what it keeps',
  clickhouse_progress: 'how far analytics is if ClickHouse has its facts',
  standstills: 'the streams that a projection sets aside, and the broken event of each',
  watermarks: 'how far the facts of each replica are counted',
};

interface Table {
  readonly name: string;
  readonly hasAccount: boolean;
  readonly isSecured: boolean;
  /** True for a view that shows what its reader may see of its tables. */
  readonly isOfInvoker: boolean | null;
  readonly policies: readonly string[];
  readonly grants: readonly string[];
}

const databases = new Map<string, TestDatabase>();
const services = readdirSync(join(root, 'services')).filter((service) =>
  existsSync(join(root, 'services', service, 'src/migrations')),
);

beforeAll(async () => {
  for (const service of services) {
    const migrations = join(root, 'services', service, 'src/migrations');
    databases.set(service, await testDatabase({ url: inject('postgresUrl'), migrations }));
  }
});
afterAll(async () => {
  for (const database of databases.values()) await database.drop();
});

async function tablesOf(service: string): Promise<readonly Table[]> {
  const database = databases.get(service);
  ok(database, service);
  return await database.query<Table & Record<string, unknown>>({
    text: `SELECT relname::text AS name, relrowsecurity AS "isSecured",
             reloptions @> '{security_invoker=true}' AS "isOfInvoker",
             EXISTS (SELECT FROM pg_attribute
                     WHERE attrelid = pg_class.oid AND attname = 'account_id') AS "hasAccount",
             ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = pg_class.oid) AS policies,
             ARRAY(SELECT privilege_type::text FROM information_schema.role_table_grants
                   WHERE table_schema = current_schema() AND table_name = relname
                     AND grantee = 'sluice_tenant') AS grants
           FROM pg_class
           WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
           ORDER BY relname`,
    values: [],
  });
}

describe.each(services)('the tables of %s', (service) => {
  test('with an account id show an account its own rows only', async () => {
    const open = (await tablesOf(service)).filter(
      ({ hasAccount, isSecured, isOfInvoker, policies }) =>
        hasAccount && isOfInvoker !== true && !(isSecured && policies.length === 1),
    );
    deepEqual(open, []);
  });

  test('are read by accounts only where a policy says what of them, and are written by none', async () => {
    const tables = await tablesOf(service);
    const readable = tables.filter(({ grants }) => grants.length > 0);
    ok(readable.length > 0, 'there are some');
    deepEqual(
      readable.filter(({ isSecured, policies }) => !isSecured || policies.length !== 1),
      [],
    );
    deepEqual(new Set(readable.flatMap(({ grants }) => grants)), new Set(['SELECT']));
  });

  test('without an account id are known, and why', async () => {
    const tables = await tablesOf(service);
    const unknown = tables.filter(
      ({ name, hasAccount, policies }) =>
        !hasAccount && policies.length === 0 && !(name in ofNoAccount),
    );
    deepEqual(
      unknown.map(({ name }) => name),
      [],
    );
  });
});
