import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { setupSql } from '../setup/require-setup.ts';

/** A database whose owner is no superuser and may make no roles, as platforms give it. */
export interface PlainOwner {
  readonly url: string;
  /** Runs a statement as an administrator in that database. */
  asAdministrator(text: string): Promise<void>;
  /** Gives what `sluice doctor --sql` asks for. */
  prepare(): Promise<void>;
  /** Drops the database and the user. */
  drop(): Promise<void>;
}

export async function plainOwner(administratorUrl: string): Promise<PlainOwner> {
  const name = `plain_${randomBytes(8).toString('hex')}`;
  const admin = (text: string) => runOnce(administratorUrl, text);
  await admin(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
  await admin(`CREATE DATABASE ${name} OWNER ${name}`);
  const own = (user: string, password: string) => {
    const url = new URL(administratorUrl);
    url.pathname = `/${name}`;
    url.username = user;
    url.password = password;
    return url.href;
  };
  const { username, password } = new URL(administratorUrl);
  const asAdministrator = (text: string) => runOnce(own(username, password), text);
  return {
    url: own(name, name),
    asAdministrator,
    prepare: () => asAdministrator(setupSql(name, name)),
    async drop() {
      await admin(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin(`DROP ROLE ${name}`);
    },
  };
}

async function runOnce(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
