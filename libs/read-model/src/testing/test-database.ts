import { randomBytes } from 'node:crypto';
import { openDatabase, type Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { describeMigrated, keepSpare, type Migrated, takeSpare } from './spare-schema.ts';

export interface TestDatabase extends Database {
  /** Drops the schema, or empties it for a later test, and closes. */
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
  const migrated =
    migrations === undefined ? undefined : await migratedSchema(database, migrations, installation);
  return {
    ...database,
    drop: async () => {
      const isKept =
        migrations !== undefined && migrated && (await keepSpare(database, migrations, migrated));
      const text = `DROP SCHEMA IF EXISTS "${schema}" CASCADE`;
      if (!isKept) await database.query({ text, values: [] });
      await database.stop();
    },
  };
}

/** Returns undefined for a schema that shares an installation: it is no other test's. */
async function migratedSchema(
  database: Database,
  migrations: string,
  installation: string | undefined,
): Promise<Migrated | undefined> {
  const isAlone = installation === undefined;
  const spare = isAlone ? await takeSpare(database, migrations) : undefined;
  if (spare) return spare;
  await migrate(database, migrations);
  return isAlone ? await describeMigrated(database) : undefined;
}
