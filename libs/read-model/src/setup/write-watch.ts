import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { sqlStateOf } from '../failure.ts';

interface WriteWatchOptions {
  readonly database: Pick<Database, 'schema' | 'connect'>;
  readonly logger: {
    info(message: string, fields?: object): void;
    warn(message: string, fields?: object): void;
  };
  readonly signal: AbortSignal;
}

const readOnly = '25006';
const diskFull = '53100';
const reasons = new Map([
  [readOnly, 'PostgreSQL is read-only'],
  [diskFull, 'the disk of PostgreSQL is full'],
]);
const probeMs = 5_000;
const probeWhileRefusedMs = 1_000;
/** Writers try again all the time: a disk that refuses none of them for so long has room. */
const diskFullMs = 30_000;

/**
 * Knows whether PostgreSQL refuses to write: after a failover to a standby, with `default_transaction_read_only`, or
 * with a full disk. It asks a new session each time, because a setting may hold for new sessions only.
 */
export class WriteWatch {
  readonly #options: WriteWatchOptions;
  #refused: { readonly sqlState: string; readonly atMs: number } | undefined;
  #waking: AbortController | undefined;

  constructor(options: WriteWatchOptions) {
    this.#options = options;
  }

  /** Takes note of what a statement threw. */
  observe(error: unknown): void {
    const sqlState = sqlStateOf(error instanceof Error ? error.cause : undefined);
    if (sqlState !== undefined && reasons.has(sqlState)) this.#refuse(sqlState);
  }

  /** Why nothing can be written; empty when it can. */
  degradation(): readonly string[] {
    const reason = reasons.get(this.#refused?.sqlState ?? '');
    if (reason === undefined) return [];
    return [`${reason}: ${this.#options.database.schema} cannot write`];
  }

  /** Asks until the signal aborts. */
  async follow(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      // While PostgreSQL is away, the last answer holds.
      await this.#probe().catch(() => undefined);
      const waking = (this.#waking = new AbortController());
      const woken = AbortSignal.any([signal, waking.signal]);
      const ms = this.#refused ? probeWhileRefusedMs : probeMs;
      await delay(ms, undefined, { signal: woken }).catch(() => undefined);
    }
  }

  async #probe(): Promise<void> {
    const connection = await this.#options.database.connect();
    try {
      const [row] = await connection.query<{ value: string }>({
        text: `SELECT current_setting('transaction_read_only') AS value`,
        values: [],
      });
      if (row?.value === 'on') this.#refuse(readOnly);
      else this.#allow();
    } finally {
      await connection.close();
    }
  }

  #refuse(sqlState: string): void {
    const before = this.#refused?.sqlState;
    this.#refused = { sqlState, atMs: performance.now() };
    if (before === sqlState) return;
    const { database, logger } = this.#options;
    logger.warn(`${reasons.get(sqlState) ?? ''}: ${database.schema} cannot write`);
    this.#waking?.abort();
  }

  #allow(): void {
    if (!this.#refused) return;
    const { sqlState, atMs } = this.#refused;
    if (sqlState === diskFull && performance.now() - atMs < diskFullMs) return;
    this.#refused = undefined;
    const { database, logger } = this.#options;
    logger.info(`${database.schema} can write to PostgreSQL again`);
  }
}
