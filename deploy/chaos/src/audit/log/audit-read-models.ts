import { type Database, installationStream, openDatabase } from '@sluice/read-model';
import { settled } from '../../waiting.ts';
import {
  byKey,
  foldReadModels,
  type ReadModel,
  readModels,
  type Row,
  type Rows,
  text,
} from './fold.ts';
import type { LogEvent } from './read-log.ts';

/** The prefix of the main streams of each schema. The ledger follows the bus and has no checkpoint in the log. */
const prefixes: Readonly<Record<string, string>> = {
  key: 'apiKey-',
  account: 'account-',
  workspace: 'workspace-',
};
/** The prefixes of the tables and reactions that follow other streams. */
const prefixesOfOthers: Readonly<Record<string, string>> = {
  'account.end_users': 'endUser-',
  'key.byok_credentials': 'byok-',
  'key.erase_byok_secrets': 'byok-',
  'key.publish_credential_changes': 'byok-',
  'key.publish_history': installationStream,
  'key.verify_new_credentials': 'byok-',
  'account.members': 'member-',
  'account.private_endpoints': 'privateEndpoints-',
  'account.publish_endpoint_changes': 'privateEndpoints-',
  'account.scim_directory': 'scimDirectory-',
  'account.scim_syncs': 'scimSync-',
  'account.run_syncs': 'scimSync-',
  'account.provision_workspaces': 'member-',
  'account.publish_member_deactivations': 'member-',
  'account.publish_member_names': 'member-',
};
/** The time at which a row was written is no matter of events. */
const ignoredColumn = 'counted_at';
const connectionsMax = 2;
const patience = { everyMs: 100, sameLooksMax: 600 };

/** Compares every read model with the fold of the log, once all projections and reactions are at its end. */
export async function auditReadModels(
  postgresUrl: string,
  log: readonly LogEvent[],
): Promise<{ readonly rows: number; readonly findings: readonly string[] }> {
  const folded = foldReadModels(log);
  const names = Object.keys(readModels) as ReadModel[];
  const findings: string[] = [];
  for (const schema of [...Object.keys(prefixes), 'ledger']) {
    const database = openDatabase({ url: postgresUrl, schema, connectionsMax });
    try {
      findings.push(...(await untilCaughtUp(database, log)));
      for (const name of names.filter((one) => one.startsWith(`${schema}.`))) {
        const ask = async () => compareRows(name, folded[name], await storedRows(database, name));
        findings.push(...(await settled(ask, (found) => found.length === 0, patience)));
      }
    } finally {
      await database.stop();
    }
  }
  return { rows: names.reduce((sum, name) => sum + folded[name].size, 0), findings };
}

async function storedRows(database: Database, name: ReadModel): Promise<Rows> {
  const [, table = ''] = name.split('.');
  const found = await database.query<Readonly<Record<string, unknown>>>({
    text: `SELECT * FROM ${table}`,
    values: [],
  });
  const rowOf = (stored: Readonly<Record<string, unknown>>): Row =>
    Object.fromEntries(
      Object.entries(stored).flatMap(([column, value]) =>
        column === ignoredColumn ? [] : [[column, text(value)]],
      ),
    );
  return byKey(name, found.map(rowOf));
}

/** Waits for every projection and reaction of a schema. Returns a sentence when some stop before the end of the log. */
async function untilCaughtUp(
  database: Database,
  log: readonly LogEvent[],
): Promise<readonly string[]> {
  const main = prefixes[database.schema];
  const lastOf = (prefix: string) =>
    log.findLast(({ stream }) => stream.startsWith(prefix))?.position.commit ?? 0n;
  if (main === undefined || lastOf(main) === 0n) return [];
  const ask = async () => {
    const checkpoints = await database.query<{ projection: string; commit: bigint }>({
      text: 'SELECT projection, commit_position AS commit FROM checkpoints ORDER BY projection',
      values: [],
    });
    const behind = checkpoints.filter(
      ({ projection, commit }) => commit < lastOf(prefixesOfOthers[projection] ?? main),
    );
    return { checkpoints, behind };
  };
  type Asked = Awaited<ReturnType<typeof ask>>;
  const isThere = ({ checkpoints, behind }: Asked) => checkpoints.length > 0 && behind.length === 0;
  const told = await settled(ask, isThere, { everyMs: 50, sameLooksMax: 1_200 });
  if (isThere(told)) return [];
  const names = told.behind.map(({ projection }) => projection).join(', ');
  return [`behind the log, and nothing moves: ${names || database.schema}`];
}

/** Returns a sentence for each row that differs. A column that only one side knows is a difference. */
export function compareRows(name: string, folded: Rows, stored: Rows): readonly string[] {
  const keys = new Set([...folded.keys(), ...stored.keys()]);
  return [...keys].flatMap((key) => {
    const [fold, row] = [folded.get(key), stored.get(key)];
    if (!row) return [`${name} has no row ${key}, which the events make`];
    if (!fold) return [`${name} has a row ${key}, which no event makes`];
    const columns = [...new Set([...Object.keys(fold), ...Object.keys(row)])];
    return columns
      .filter((column) => fold[column] !== row[column])
      .map(
        (column) =>
          `${name} ${key}: ${column} is ${row[column] ?? 'absent'}, by the events ${fold[column] ?? 'absent'}`,
      );
  });
}
