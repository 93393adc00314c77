import pg from 'pg';
import { type PagedStatements, readPagesAsAccount } from './account-pages.ts';
import { type AccountReads, queryAsAccount } from './account-queries.ts';
import {
  clientConfig,
  inTransaction,
  openConnection,
  queryableOf,
  type Connection,
  type StatementLimits,
} from './connection.ts';
import { isBroken, isReadOnly, unreachable } from './failure.ts';
import { isPlainName, type Queryable } from './statement.ts';

export interface DatabaseOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** The one schema this service owns: unqualified names in statements mean its tables. */
  readonly schema: string;
  /**
   * The schema in which the services of an installation note the newest events that they know. Its own when absent:
   * then no other service knows them.
   */
  readonly installation?: string;
  readonly connectionsMax: number;
  /** The time limit of one statement at the server. If absent, it is 15 s. */
  readonly statementTimeoutMs?: number;
  /** Settings of each session, by their names in PostgreSQL. Others are those of the server. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
}

/**
 * One service's read models: a pool of connections to the one schema that it owns. Its own statements
 * see and change all rows; the questions of accounts are asked through `forAccount`.
 */
export interface Database extends Queryable, AccountReads {
  readonly schema: string;
  /** The schema in which the services of an installation note the newest events that they know. */
  readonly installation: string;
  /** Commits what `work` did, or nothing of it. All statements go through its argument. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /**
   * Returns the rows of statements that `account` may see, so many at a time. They are those of one moment. Holds a
   * connection of the pool until the reader ends.
   */
  pagesOf<Row extends object>(
    account: string,
    asked: PagedStatements,
  ): AsyncGenerator<readonly Row[]>;
  /** A connection outside the pool, for session locks and for long statements. The caller closes it. */
  connect(limits?: StatementLimits): Promise<Connection>;
  /** Waits for running statements, then closes all connections of the pool. */
  stop(): Promise<void>;
}

const idleTimeoutMs = 30_000;

/** Opens nothing yet: the first statement does. Throws when the schema's name is not a plain one. */
export function openDatabase({ connectionsMax, ...settings }: DatabaseOptions): Database {
  const { schema, installation = schema } = settings;
  // The names go into SQL text, where no parameter can stand.
  for (const name of [schema, installation])
    if (!isPlainName(name)) throw new Error(`schema name "${name}"`);
  const pool = new pg.Pool({
    ...clientConfig(settings),
    max: connectionsMax,
    idleTimeoutMillis: idleTimeoutMs,
  });
  // A connection that breaks while idle leaves the pool by itself; the next statement opens another.
  pool.on('error', () => undefined);
  const begunMs = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => {
    begunMs.set(client, performance.now());
    // While it is in use the running statement reports the break.
    client.on('error', () => undefined);
  });
  let readOnlyMs = -Infinity;

  /** A session that began while PostgreSQL was read-only may stay so: another one takes its place. */
  async function take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect().catch(unreachable);
      if ((begunMs.get(client) ?? Infinity) > readOnlyMs) return client;
      client.release(true);
    }
  }

  async function using<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    const client = await take();
    let usable = true;
    try {
      return await work(queryableOf(client));
    } catch (error) {
      usable = !isBroken(error);
      if (isReadOnly(error)) readOnlyMs = performance.now();
      throw error;
    } finally {
      client.release(!usable);
    }
  }

  async function* pagesOf<Row extends object>(
    account: string,
    asked: PagedStatements,
  ): AsyncGenerator<readonly Row[]> {
    const client = await take();
    const connection = queryableOf(client);
    let usable = true;
    try {
      yield* readPagesAsAccount<Row>(connection, account, asked);
    } catch (error) {
      usable = !isBroken(error);
      throw error;
    } finally {
      // Nothing was changed: this ends the reading, also where the reader left before the last page.
      if (usable)
        await connection.query({ text: 'ROLLBACK', values: [] }).catch(() => (usable = false));
      client.release(!usable);
    }
  }

  let stopping: Promise<void> | undefined;
  return {
    schema,
    installation,
    query: (statement) => using((connection) => connection.query(statement)),
    forAccount: (accountId) => ({
      accountId,
      query: (statement) => using((connection) => queryAsAccount(connection, accountId, statement)),
    }),
    pagesOf,
    transaction: (work) => using((connection) => inTransaction(connection, work)),
    connect: (limits) => openConnection({ ...settings, ...limits }),
    stop: () => (stopping ??= pool.end()),
  };
}
