import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import type { Database } from '../database.ts';
import { isPassing, isReadOnly } from '../failure.ts';
import { migrate } from '../migrate.ts';
import { requireSessions } from './require-sessions.ts';
import { SetupMissing } from './setup-missing.ts';
import { WriteWatch } from './write-watch.ts';

export interface SchemaOptions {
  readonly database: Database;
  /** The directory of migrations. */
  readonly migrations: string;
  readonly logger: {
    info(message: string, fields?: object): void;
    warn(message: string, fields?: object): void;
    error(message: string, fields?: object): void;
  };
  /** Done after the migrations, and with them again when PostgreSQL goes away meanwhile. */
  readonly check?: () => Promise<void>;
}

/** The schema of one service, from its start until its stop. */
export interface Schema {
  /** The same database; its statements throw read_model_unavailable until the schema is migrated. */
  readonly database: Database;
  /**
   * Migrates, then calls `begin`. Resolves after the first try: while PostgreSQL is away, or lacks what its
   * administrator has to give, tries go on beside. Throws what neither time nor an administrator mends.
   */
  start(begin: () => void): Promise<void>;
  /** Why the tables cannot be used yet; empty when they can. */
  unreadiness(): readonly string[];
  /** Why the tables can be read only; empty when they can be written. */
  degradation(): readonly string[];
  stop(): Promise<void>;
}

/** A protocol violation: PostgreSQL itself takes every connection that we ask for. */
const settingsRefused = '08P01';
const retryMsMin = 100;
const retryMsMax = 1_000;

/** Nothing is asked before `start`. */
export function schemaOf(options: SchemaOptions): Schema {
  return new PreparedSchema(options);
}

class PreparedSchema implements Schema {
  readonly database: Database;
  readonly #options: SchemaOptions;
  readonly #stopping = new AbortController();
  readonly #writes: WriteWatch;
  #watching: Promise<void> | undefined;
  #isReady = false;
  #reason: string;
  #trying: Promise<void> | undefined;

  constructor(options: SchemaOptions) {
    this.#options = options;
    this.#writes = new WriteWatch({ ...options, signal: this.#stopping.signal });
    this.#reason = `${options.database.schema} has not started`;
    this.database = this.#closedUntilReady(options.database);
  }

  async start(begin: () => void): Promise<void> {
    if (await this.#try(begin)) return;
    this.#trying = this.#goOn(begin);
  }

  unreadiness(): readonly string[] {
    return this.#isReady ? [] : [this.#reason];
  }

  degradation(): readonly string[] {
    return this.#isReady ? this.#writes.degradation() : [];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#trying;
    await this.#watching;
  }

  async #goOn(begin: () => void): Promise<void> {
    const { signal } = this.#stopping;
    const { database, logger } = this.#options;
    const { schema } = database;
    for (let retryMs = retryMsMin; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (!(await this.#try(begin))) continue;
        logger.info('the schema is ready now', { schema });
      } catch (error) {
        this.#reason = `${schema} cannot start: ${error instanceof Error ? error.message : 'unknown'}`;
        logger.error('the schema cannot be made ready', { schema, error });
      }
      return;
    }
  }

  /** False: it is worth trying again. */
  async #try(begin: () => void): Promise<boolean> {
    const { database, migrations, check } = this.#options;
    try {
      await requireSessions(database);
      await migrate(database, migrations);
      await check?.();
    } catch (error) {
      if (!(error instanceof SetupMissing) && !(error instanceof Fault && isPassing(error)))
        throw error;
      this.#tell(error);
      return false;
    }
    this.#isReady = true;
    this.#watching = this.#writes.follow();
    begin();
    return true;
  }

  #tell(error: Error): void {
    const { database, logger } = this.#options;
    const reason = reasonOf(database.schema, error);
    if (reason !== this.#reason) logger.warn(reason, { error });
    this.#reason = reason;
  }

  #requireReady(): void {
    if (!this.#isReady) throw new Fault('read_model_unavailable', { message: this.#reason });
  }

  #closedUntilReady(database: Database): Database {
    const open = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      this.#requireReady();
      try {
        return await work();
      } catch (error) {
        this.#writes.observe(error);
        throw error;
      }
    };
    const requireReady = () => this.#requireReady();
    async function* pagesWhenReady<Row>(
      read: () => AsyncGenerator<readonly Row[]>,
    ): AsyncGenerator<readonly Row[]> {
      requireReady();
      yield* read();
    }
    return {
      schema: database.schema,
      installation: database.installation,
      query: (statement) => open(() => database.query(statement)),
      forAccount: (accountId) => ({
        accountId,
        query: (statement) => open(() => database.forAccount(accountId).query(statement)),
      }),
      pagesOf: (account, asked) => pagesWhenReady(() => database.pagesOf(account, asked)),
      transaction: (work) => open(() => database.transaction(work)),
      connect: (limits) => open(() => database.connect(limits)),
      stop: () => database.stop(),
    };
  }
}

function reasonOf(schema: string, error: Error): string {
  if (error instanceof SetupMissing) return `${schema} waits: ${error.message}`;
  if (isReadOnly(error)) return `${schema} waits: PostgreSQL is read-only (25006)`;
  const { cause, message } = error;
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (code === settingsRefused)
    return (
      `${schema} waits: a pooler between Sluice and PostgreSQL refuses the settings of a connection (options); ` +
      'name PostgreSQL itself in SLUICE_POSTGRES_URL'
    );
  return `${schema} waits for PostgreSQL (${typeof code === 'string' ? code : message})`;
}
