import type { Database } from './database.ts';
import { withoutTable } from './failure.ts';
import { readMigrations } from './migrate.ts';
import { sharesSessions } from './setup/require-sessions.ts';
import { type MissingSetup, missingSetup } from './setup/require-setup.ts';
import { withDatabase } from './with-database.ts';

/** The server behind a URL, as its user sees it. */
export interface DatabaseExamination {
  readonly version: string;
  readonly user: string;
  readonly isStandby: boolean;
  readonly hasTls: boolean;
  /** False: the ledger does not start, since a power cut would lose counted usage. */
  readonly commitsAreDurable: boolean;
  /** Milliseconds by which the server's clock is ahead of ours, beyond the time of the call. */
  readonly clockAheadMs: number;
  /** The setup that an administrator must run before the services start; undefined if there is none. */
  readonly missing: MissingSetup | undefined;
  /** True behind a pooler in transaction mode, where the services do not start. */
  readonly sharesSessions: boolean;
  /** False behind a pooler that drops the settings of a connection, where the services do not start. */
  readonly keepsSettings: boolean;
}

interface Row extends Pick<DatabaseExamination, 'version' | 'user' | 'isStandby' | 'hasTls'> {
  readonly commit: string;
  readonly searchPath: string;
  readonly now: Date;
}

/** Asks a server what the services need of it, and changes nothing. Throws read_model_unavailable. */
export async function examineDatabase(url: string): Promise<DatabaseExamination> {
  return await withDatabase({ url, schema: 'public' }, async (database) => {
    // The first statement waits for the connection as well.
    await database.query({ text: 'SELECT 1', values: [] });
    const beforeMs = Date.now();
    const [row] = await database.query<Row>({
      text: `SELECT current_setting('server_version') AS version, current_user AS "user",
                    pg_is_in_recovery() AS "isStandby", clock_timestamp() AS now,
                    current_setting('synchronous_commit') AS commit,
                    current_setting('search_path') AS "searchPath",
                    COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS "hasTls"`,
      values: [],
    });
    const afterMs = Date.now();
    if (!row) throw new Error('PostgreSQL answered without a row');
    const { version, user, isStandby, hasTls, commit, searchPath, now } = row;
    const nowMs = now.getTime();
    const clockAheadMs = nowMs < beforeMs ? nowMs - beforeMs : Math.max(0, nowMs - afterMs);
    const commitsAreDurable = commit !== 'off';
    return {
      version,
      user,
      isStandby,
      hasTls,
      commitsAreDurable,
      clockAheadMs,
      missing: await missingSetup(database),
      sharesSessions: await sharesSessions(database),
      keepsSettings: searchPath === database.schema,
    };
  });
}

/** The migrations of a schema, compared with the files of this program. */
export interface MigrationStanding {
  readonly schema: string;
  /** False: no service has started on this database yet. */
  readonly exists: boolean;
  readonly applied: number;
  readonly known: number;
  /** The first file that is not the one that was applied. */
  readonly changed: string | undefined;
}

/** Compares and changes nothing. Throws read_model_unavailable. */
export async function examineMigrations(
  url: string,
  { schema, migrations }: { readonly schema: string; readonly migrations: string },
): Promise<MigrationStanding> {
  const known = await readMigrations(migrations);
  const applied = await withDatabase({ url, schema }, appliedDigests);
  const changed = known.find(({ number, digest }) => (applied?.get(number) ?? digest) !== digest);
  return {
    schema,
    exists: applied !== undefined,
    applied: applied?.size ?? 0,
    known: known.length,
    changed: changed?.name,
  };
}

async function appliedDigests(
  database: Database,
): Promise<ReadonlyMap<number, string> | undefined> {
  const text = 'SELECT number, digest FROM migrations';
  const applied = database.query<{ number: number; digest: string }>({ text, values: [] });
  const rows = await withoutTable(applied, undefined);
  return rows && new Map(rows.map(({ number, digest }) => [number, digest]));
}
