import type { RecordedEvent } from '@sluice/es';
import { type Database, installationStream, openDatabase } from '@sluice/read-model';
import { whileItChanges } from '../../progress.ts';
import { keyOf, type ReadModel, readModels, type Row, type Rows, text } from './fold.ts';

/** The content of PostgreSQL, read past the services. */
export interface StoredReadModels {
  /** Resolves when every projection and reaction has reached the end of the log. Throws if they make no progress. */
  caughtUp(log: readonly RecordedEvent[]): Promise<void>;
  rows(name: ReadModel): Promise<Rows>;
  stop(): Promise<void>;
}

const prefixes = { key: 'apiKey-', account: 'account-', workspace: 'workspace-' } as const;
/** The stream prefixes of tables that follow other streams than the main ones of their schema. */
const prefixesOfOthers: Readonly<Record<string, string>> = {
  'account.end_users': 'endUser-',
  'key.byok_credentials': 'byok-',
  'key.erase_byok_secrets': 'byok-',
  'key.publish_credential_changes': 'byok-',
  'key.publish_history': installationStream,
  'key.verify_new_credentials': 'byok-',
  'account.members': 'member-',
  'account.scim_directory': 'scimDirectory-',
  'account.scim_syncs': 'scimSync-',
  'account.run_syncs': 'scimSync-',
  'account.provision_workspaces': 'member-',
  'account.publish_member_deactivations': 'member-',
  'account.publish_member_names': 'member-',
};
const schemas = [...(Object.keys(prefixes) as (keyof typeof prefixes)[]), 'ledger'] as const;
const connectionsMax = 2;
const quietMs = 60_000;
const pollMs = 50;

export function openStoredReadModels(url: string): StoredReadModels {
  const databases = new Map(
    schemas.map((schema) => [schema as string, openDatabase({ url, schema, connectionsMax })]),
  );
  const databaseOf = (schema: string) => {
    const database = databases.get(schema);
    if (!database) throw new Error(`no schema ${schema}`);
    return database;
  };
  return {
    async caughtUp(log) {
      const lastOf = (prefix: string) =>
        log.findLast(({ stream }) => stream.startsWith(prefix))?.position.commit ?? 0n;
      for (const [schema, prefix] of Object.entries(prefixes)) {
        const wanted = (name: string) => lastOf(prefixesOfOthers[name] ?? prefix);
        if (lastOf(prefix) > 0n) await checkpointsAt(databaseOf(schema), wanted);
      }
    },
    async rows(name) {
      const [schema = '', table = ''] = name.split('.');
      const { ignored } = readModels[name];
      const found = await databaseOf(schema).query({ text: `SELECT * FROM ${table}`, values: [] });
      const rows = found.map((one) => rowOf(one, ignored));
      return new Map(rows.map((row) => [keyOf(name, row), row]));
    },
    async stop() {
      await Promise.all([...databases.values()].map((database) => database.stop()));
    },
  };
}

function rowOf(found: Readonly<Record<string, unknown>>, ignored: readonly string[]): Row {
  return Object.fromEntries(
    Object.entries(found)
      .filter(([column]) => !ignored.includes(column))
      .map(([column, value]) => [column, text(value)]),
  );
}

async function checkpointsAt(database: Database, wanted: (projection: string) => bigint) {
  const ask = async () => {
    const checkpoints = await database.query<{ projection: string; commit: bigint }>({
      text: 'SELECT projection, commit_position AS commit FROM checkpoints ORDER BY projection',
      values: [],
    });
    const behind = checkpoints.filter(({ projection, commit }) => commit < wanted(projection));
    return { checkpoints, behind };
  };
  const isThere = ({ checkpoints, behind }: Awaited<ReturnType<typeof ask>>) =>
    checkpoints.length > 0 && behind.length === 0;
  const told = await whileItChanges(ask, isThere, { quietMs, pollMs });
  if (isThere(told)) return;
  const names = told.behind.map(({ projection }) => projection).join(', ');
  throw new Error(`behind the log, and nothing moves: ${names || database.schema}`);
}
