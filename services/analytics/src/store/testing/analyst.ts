import { ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '@sluice/read-model';
import { plainOwner, type PlainOwner } from '@sluice/read-model/testing';
import { analyticsSchema } from '../../schema.ts';

const page = join(import.meta.dirname, '../../../../../docs/analytics.md');

/** A database of analytics, and an analyst who reads its views as docs/analytics.md says. */
export interface AnalystDatabase {
  readonly owner: PlainOwner;
  /** Queries as the owner of the tables. */
  readonly database: Database;
  /** Queries as a user with the role of analysts. */
  readonly analyst: Database;
  /** Returns the block of SQL in the documentation that has this text. */
  documented(text: string): string;
  /** Logs in with the password of the documentation. */
  as(user: string, schema: string): Database;
  drop(): Promise<void>;
}

export async function openAsAnalyst(administratorUrl: string): Promise<AnalystDatabase> {
  const login = `grafana_${randomBytes(8).toString('hex')}`;
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/```sql\n(.*?)```/gs)].map(
    ([, block = '']) => block,
  );
  function documented(text: string): string {
    const block = blocks.find((one) => one.includes(text));
    ok(block, text);
    return block;
  }
  const owner = await plainOwner(administratorUrl);
  function as(user: string, schema: string): Database {
    const url = new URL(owner.url);
    url.username = user;
    url.password = 'change-me';
    return openDatabase({ url: url.href, schema, connectionsMax: 2 });
  }
  await owner.prepare();
  const database = openDatabase({ url: owner.url, schema: 'analytics', connectionsMax: 2 });
  await migrate(database, analyticsSchema.migrations);
  // An operator may run it twice.
  for (const _ of [1, 2]) await owner.asAdministrator(documented('CREATE ROLE sluice_analyst'));
  await owner.asAdministrator(documented('CREATE ROLE grafana').replaceAll('grafana', login));
  // Buckets are of UTC, wherever the analyst is.
  await owner.asAdministrator(`ALTER ROLE ${login} SET TimeZone = 'America/New_York'`);
  const analyst = as(login, 'analytics_v1');
  return {
    owner,
    database,
    analyst,
    documented,
    as,
    async drop() {
      await analyst.stop();
      await database.stop();
      await owner.asAdministrator(`DROP ROLE ${login}`);
      await owner.drop();
    },
  };
}
