import { type ClickHouseClient, ClickHouseError, createClient } from '@clickhouse/client';
import { systemIds } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { RefusedValue } from '../analytics-store.ts';
import { type ClickHouseAddress, isPlainName } from './address.ts';

/** A value of a parameter. */
export type Parameter = string | number | bigint | readonly (string | number | bigint)[];

/** A statement with its parameters: `{p1:String}` in the text is the value `p1`. */
export interface ClickHouseStatement {
  readonly text: string;
  readonly values: Readonly<Record<string, Parameter>>;
}

/** A cell of a row that is written. A bigint is written as text, with all its digits. */
export type Cell = string | number | null | readonly (string | number)[];

export interface RowsToInsert {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Runs statements in one database of ClickHouse. Each has a time limit, after which it is killed. */
export interface ClickHouse {
  readonly database: string;
  readonly cluster: string | undefined;
  /** Returns the rows. 64-bit integers are texts. It can change nothing. */
  query<Row extends object>(
    statement: ClickHouseStatement,
    timeLimitMs?: number,
  ): Promise<readonly Row[]>;
  /** Returns the rows in pages, as they come. The time limit is that of the whole answer. */
  pages<Row extends object>(
    statement: ClickHouseStatement,
    timeLimitMs: number,
  ): AsyncIterable<readonly Row[]>;
  insert(rows: RowsToInsert): Promise<void>;
  /** Runs a statement that returns no rows. */
  command(statement: ClickHouseStatement, timeLimitMs?: number): Promise<void>;
  /** Makes the database, unless it is there. */
  createDatabase(onCluster: string): Promise<void>;
  stop(): Promise<void>;
}

const connectionsMax = 10;
const timeLimitMsDefault = 15_000;
/** The client waits so much longer than the server, so that the server itself ends the statement. */
const graceMs = 2_000;
const killMs = 5_000;
/** Each statement has a time limit of its own, which is shorter. */
const requestMsMax = 3_600_000;

/** The settings that every statement depends on, whatever the user's profile says. */
const settings = {
  output_format_json_quote_64bit_integers: 1,
  join_use_nulls: 0,
  // All revisions of a fact and all versions of a sum are in one partition.
  do_not_merge_across_partitions_select_final: 1,
  max_partitions_per_insert_block: 5_000,
} as const;

/** A row is read where it was written, and is written once most replicas have it. */
const clusterSettings = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: 1,
  optimize_skip_unused_shards: 1,
} as const;

/** A question changes nothing, and ends when its client is gone. */
const questionSettings = {
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
} as const;

/** Connects to nothing yet: the first statement does. */
export function openClickHouse(address: ClickHouseAddress): ClickHouse {
  const { database, cluster } = address;
  const parts = clientsOf(address);
  const { client, outside } = parts;
  const asked = (
    { text, values }: ClickHouseStatement,
    { clickhouse_settings, ...limits }: Limits,
  ) =>
    client.query({
      query: text,
      query_params: { ...values },
      format: 'JSONEachRow',
      ...limits,
      clickhouse_settings: { ...clickhouse_settings, ...questionSettings },
    });
  return {
    database,
    cluster,
    query: async <Row extends object>(
      statement: ClickHouseStatement,
      timeLimitMs = timeLimitMsDefault,
    ) =>
      await limited(parts, { timeLimitMs, isQuestion: true }, async (limits) =>
        (await asked(statement, limits)).json<Row>(),
      ),
    async *pages<Row extends object>(statement: ClickHouseStatement, timeLimitMs: number) {
      const { limits, failed } = limitsOf(parts, { timeLimitMs, isQuestion: true });
      try {
        const result = await asked(statement, limits);
        for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json<Row>());
      } catch (error) {
        await failed(error);
      }
    },
    insert: async ({ table, columns, rows }) => {
      const [first, ...others] = columns;
      if (rows.length === 0 || first === undefined) return;
      await limited(parts, { timeLimitMs: timeLimitMsDefault }, async (limits) => {
        await client.insert({
          table,
          columns: [first, ...others],
          values: rows,
          format: 'JSONCompactEachRow',
          ...limits,
        });
      });
    },
    command: async ({ text, values }, timeLimitMs = timeLimitMsDefault) => {
      await limited(parts, { timeLimitMs }, async (limits) => {
        await client.command({ query: text, query_params: { ...values }, ...limits });
      });
    },
    createDatabase: async (onCluster) => {
      const query = `CREATE DATABASE IF NOT EXISTS ${database} ${onCluster}`;
      await outside.command({ query }).catch(translated);
    },
    stop: async () => {
      await Promise.all([client.close(), outside.close()]);
    },
  };
}

/** Makes a client of the database, and one for what is outside of it. */
function clientsOf(address: ClickHouseAddress) {
  const { url, username, database, cluster } = address;
  // These names stand in the text of statements.
  for (const name of [database, cluster ?? database])
    if (!isPlainName(name)) throw new Error(`invariant: ${name} is a plain name`);
  const password = address.password.reveal();
  const common = { url, username, password, log: { LoggerClass: SilentLogger } };
  const client = createClient({
    ...common,
    database,
    max_open_connections: connectionsMax,
    request_timeout: requestMsMax,
    use_multipart_params_auto: true,
    clickhouse_settings: {
      ...settings,
      ...(cluster === undefined ? {} : clusterSettings),
    } as Record<string, string | number>,
  });
  return { client, outside: createClient(common) };
}

interface Limits {
  readonly query_id: string;
  readonly abort_signal: AbortSignal;
  readonly clickhouse_settings: Readonly<Record<string, string | number>>;
}

interface LimitOptions {
  readonly timeLimitMs: number;
  readonly isQuestion?: boolean;
}

/** Runs a statement. When its time is over, the server ends it; if that does not come, it is killed. */
async function limited<Result>(
  parts: { readonly outside: ClickHouseClient },
  options: LimitOptions,
  run: (limits: Limits) => Promise<Result>,
): Promise<Result> {
  const { limits, failed } = limitsOf(parts, options);
  try {
    return await run(limits);
  } catch (error) {
    return await failed(error);
  }
}

function limitsOf(
  { outside }: { readonly outside: ClickHouseClient },
  { timeLimitMs, isQuestion = false }: LimitOptions,
) {
  const id = systemIds.next();
  const signal = AbortSignal.timeout(timeLimitMs + graceMs);
  const limits: Limits = {
    query_id: id,
    abort_signal: signal,
    clickhouse_settings: {
      max_execution_time: timeLimitMs / 1_000,
      // Without it, a statement that is thought to be too slow is ended before its time.
      timeout_before_checking_execution_speed: 0,
    },
  };
  const failed = async (error: unknown): Promise<never> => {
    if (signal.aborted) await kill(outside, id);
    const isEnded = error instanceof ClickHouseError && endedCodes.has(error.code);
    if (isQuestion && (signal.aborted || isEnded)) throw timedOut(error);
    return translated(error);
  };
  return { limits, failed };
}

async function kill(client: ClickHouseClient, id: string): Promise<void> {
  await client
    .command({
      query: 'KILL QUERY WHERE query_id = {id:String}',
      query_params: { id },
      abort_signal: AbortSignal.timeout(killMs),
    })
    .catch(() => undefined);
}

/** TIMEOUT_EXCEEDED, TOO_SLOW, QUERY_WAS_CANCELLED. */
const endedCodes: ReadonlySet<string> = new Set(['159', '160', '394']);

/** Values that ClickHouse cannot read: they are of no use to it later, either. */
const valueCodes: ReadonlySet<string> = new Set([
  '6',
  '26',
  '27',
  '33',
  '38',
  '41',
  '69',
  '117',
  '321',
  '349',
  '407',
]);

const timedOut = (cause: unknown) =>
  new Fault('timeout', {
    message: 'The query took too long and was canceled. Ask for a shorter time_range or fewer rows',
    cause,
  });

function translated(error: unknown): never {
  if (error instanceof Fault) throw error;
  if (error instanceof ClickHouseError && valueCodes.has(error.code))
    throw new RefusedValue(error.message, { cause: error });
  throw new Fault('read_model_unavailable', { cause: error });
}

/** The client would write statements to the console. */
class SilentLogger {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
