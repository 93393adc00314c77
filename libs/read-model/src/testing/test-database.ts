import { randomBytes } from 'node:crypto';
import { openDatabase, type Database } from '../database.ts';
import { migrate } from '../migrate.ts';

export interface TestDatabase extends Database {
  /** Drops the schema and closes. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  readonly url: string;
  /** Migrated into the new schema; without it there are only our own tables. */
  readonly migrations?: string;
  /** The schema of another test database with which this one makes an installation. */
  readonly installation?: string;
}

const connectionsMax = 3;

/** A schema with a random name, migrated: tests beside it cannot see it. */
export async function testDatabase({
  url,
  migrations,
  installation,
}: TestDatabaseOptions): Promise<TestDatabase> {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const database = openDatabase({
    url,
    schema,
    ...(installation === undefined ? {} : { installation }),
    connectionsMax,
  });
  if (migrations !== undefined) await migrate(database, migrations);
  return {
    ...database,
    drop: async () => {
      await database.query({ text: `DROP SCHEMA IF EXISTS "${schema}" CASCADE`, values: [] });
      await database.stop();
    },
  };
}
