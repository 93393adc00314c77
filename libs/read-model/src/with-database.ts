import { type Database, openDatabase } from './database.ts';

/** Opens a database with one connection for the work, and closes it afterwards. */
export async function withDatabase<Result>(
  settings: { readonly url: string; readonly schema: string },
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ ...settings, connectionsMax: 1 });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}
