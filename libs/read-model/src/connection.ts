import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { arrayLiteral } from './array-literal.ts';
import { isBroken, translated, unreachable } from './failure.ts';
import type { Queryable, SqlValue, Statement } from './statement.ts';

export interface StatementLimits {
  /** The time limit of one statement at the server. If absent, it is 15 s. */
  readonly statementTimeoutMs?: number;
  /** Settings of each session, by their names in PostgreSQL. Others are those of the server. */
  readonly sessionSettings?: Readonly<Record<string, string>>;
}

export interface ConnectionSettings extends StatementLimits {
  readonly url: string;
  readonly schema: string;
}

/**
 * A connection of its own, outside the pool: for what must live and die with one session.
 * After a Fault read_model_unavailable it is of no more use: close it.
 */
export interface Connection extends Queryable {
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Aborts when the connection is gone; its locks are gone too. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

const statementTimeoutMsDefault = 15_000;
/** The client waits for an answer this much longer than the server's own time limit. */
const answerGraceMs = 5_000;
const idleInTransactionTimeoutMs = 20_000;
const connectTimeoutMs = 5_000;
const closeTimeoutMs = 2_000;
/** A server that lost its client frees the client's locks after about 25 s. */
const keepAlive = { idleSeconds: 10, intervalSeconds: 5, count: 3 };

const int8 = 20;
const int8List = 1016;

/** Money and counters are 64-bit: as a JavaScript number they would lose digits in silence. */
const types = new pg.TypeOverrides();
types.setTypeParser(int8, BigInt);
types.setTypeParser(int8List, (text: string) =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : BigInt(item))),
);

export function clientConfig(settings: ConnectionSettings): pg.ClientConfig {
  const { url, schema, sessionSettings = {} } = settings;
  const { statementTimeoutMs = statementTimeoutMsDefault } = settings;
  return {
    connectionString: url,
    // Statements that were not waited for go out together and are answered in order.
    pipeline: true,
    types,
    application_name: `sluice.${schema}`,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + answerGraceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive.idleSeconds * 1_000,
    options: [
      `-c search_path=${schema}`,
      `-c TimeZone=UTC`,
      ...Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`),
      `-c statement_timeout=${statementTimeoutMs}`,
      `-c idle_in_transaction_session_timeout=${idleInTransactionTimeoutMs}`,
      `-c tcp_keepalives_idle=${keepAlive.idleSeconds}`,
      `-c tcp_keepalives_interval=${keepAlive.intervalSeconds}`,
      `-c tcp_keepalives_count=${keepAlive.count}`,
    ].join(' '),
  };
}

export async function openConnection(settings: ConnectionSettings): Promise<Connection> {
  const client = new pg.Client(clientConfig(settings));
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect().catch(unreachable);
  const queryable = queryableOf(client);
  return {
    ...queryable,
    transaction: (work) => inTransaction(queryable, work),
    lost: lost.signal,
    close: async () => {
      // A connection that is already gone has nothing left to close.
      if (lost.signal.aborted) return;
      const closed = client.end().catch(() => undefined);
      await Promise.race([closed, delay(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

export function queryableOf(client: pg.ClientBase): Queryable {
  return {
    query: async <Row extends object>(statement: Statement) => {
      const { name, text, values } = statement;
      try {
        const query = {
          text,
          values: values.map(parameter),
          ...(name === undefined ? {} : { name }),
        };
        return (await client.query<Row>(query)).rows;
      } catch (error) {
        throw translated(error);
      }
    },
  };
}

function parameter(value: SqlValue): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? arrayLiteral(value)
    : value;
}

/** Commits what `work` did, or nothing of it. */
export async function inTransaction<Result>(
  connection: Queryable,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  await connection.query({ text: 'BEGIN', values: [] });
  try {
    const result = await work(connection);
    await connection.query({ text: 'COMMIT', values: [] });
    return result;
  } catch (error) {
    // A broken connection is thrown away by its owner, and PostgreSQL rolls back what it held.
    if (!isBroken(error))
      await connection.query({ text: 'ROLLBACK', values: [] }).catch(() => undefined);
    throw error;
  }
}
