import type { Database } from '../database.ts';
import type { Queryable } from '../statement.ts';
import { SetupMissing } from './setup-missing.ts';

/** True when something between us and PostgreSQL gives one session to several clients in turn. */
export async function sharesSessions(database: Pick<Database, 'connect'>): Promise<boolean> {
  const first = await database.connect();
  try {
    const second = await database.connect();
    try {
      const before = await sessionOf(first);
      // A pooler that shares sessions gives one back when a transaction ends, and may not before.
      return await second.transaction(async (transaction) => {
        const other = await sessionOf(transaction);
        const after = await sessionOf(first);
        return before !== after || other === before;
      });
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
}

/**
 * Throws SetupMissing behind a pooler in transaction mode, where a session lock guards nothing and a named
 * statement is unknown to the next session, and behind one that drops the settings of a connection.
 */
export async function requireSessions(
  database: Pick<Database, 'connect' | 'schema'>,
): Promise<void> {
  if (await sharesSessions(database))
    throw new SetupMissing(
      'a pooler between Sluice and PostgreSQL shares sessions between clients (transaction mode), ' +
        'so that locks guard nothing; name PostgreSQL itself in SLUICE_POSTGRES_URL',
    );
  const connection = await database.connect();
  try {
    const [row] = await connection.query<{ path: string }>({
      text: `SELECT current_setting('search_path') AS path`,
      values: [],
    });
    if (row?.path === database.schema) return;
  } finally {
    await connection.close();
  }
  throw new SetupMissing(
    'a pooler between Sluice and PostgreSQL drops the settings of a connection (options); ' +
      'name PostgreSQL itself in SLUICE_POSTGRES_URL',
  );
}

async function sessionOf(connection: Queryable): Promise<number | undefined> {
  const text = 'SELECT pg_backend_pid() AS pid';
  const [row] = await connection.query<{ pid: number }>({ text, values: [] });
  return row?.pid;
}
