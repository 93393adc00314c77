import { type Database, migrate, type Queryable, StatementFailed } from '@sluice/read-model';
import type { AnalyticsStore, RebuiltStore, Retention, RowChange } from '../../analytics-store.ts';
import { type Kept, keptAt } from '../../plan.ts';
import { beginProgress, moveKept, readProgress } from '../progress.ts';
import { daysOfOwnSums, readOwnFacts, readOwnSums } from './carried-rows.ts';
import { inSchema, within } from './in-schema.ts';
import { withLiveTimes } from './live-times.ts';
import { dropSchema, exists, type Schemas, schemasOf, switchSchemas } from './switch-schemas.ts';

export interface PostgresRebuildOptions {
  readonly database: Database;
  readonly migrations: string;
  readonly retention: Retention;
  readonly storeOf: (database: Database) => AnalyticsStore;
}

/** The cursor of tables that have the sums which only the live ones have up to a day, and nothing of the ledger. */
const carried = /^live\/(\d{1,15})$/;
const lockTimeoutMs = 5_000;
const undefinedTable = '42P01';
/** Tables that nothing but themselves has. */
const carriedTables = ['names', 'exports'] as const;

/**
 * Fills tables in a schema beside the live one. The schema is there as long as a rebuild is wanted, so that one which
 * was killed goes on where it was: its cursor moves with its sums.
 */
export class PostgresRebuild implements RebuiltStore {
  readonly #options: PostgresRebuildOptions;
  readonly #schemas: Schemas;

  constructor(options: PostgresRebuildOptions) {
    this.#options = options;
    this.#schemas = schemasOf(options.database.schema);
  }

  async want(): Promise<void> {
    const text = `CREATE SCHEMA IF NOT EXISTS "${this.#schemas.beside}"`;
    await this.#options.database.query({ text, values: [] });
  }

  async isWanted(): Promise<boolean> {
    return await exists(this.#options.database, this.#schemas.beside);
  }

  async clean(): Promise<void> {
    const { database } = this.#options;
    const { replaced } = this.#schemas;
    if (!(await exists(database, replaced))) return;
    await database.transaction(async (transaction) => await dropSchema(transaction, replaced));
  }

  async countedFacts(): Promise<bigint> {
    const { database } = this.#options;
    const text = `SELECT coalesce(sum(facts), 0)::bigint AS facts
      FROM "${this.#schemas.beside}".usage_hour`;
    try {
      const [sum] = await database.query<{ facts: bigint }>({ text, values: [] });
      return sum?.facts ?? 0n;
    } catch (error) {
      // The tables are not made yet, or took the place of the live ones while it was asked.
      if (error instanceof StatementFailed && error.sqlState === undefinedTable) return 0n;
      throw error;
    }
  }

  async alone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const connection = await this.#options.database.connect();
    try {
      const [row] = await connection.query<{ locked: boolean }>({
        text: 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
        values: [`sluice/rebuild/${this.#schemas.live}/analytics`],
      });
      return row?.locked ? await work() : undefined;
    } finally {
      await connection.close();
    }
  }

  async startAgain(): Promise<void> {
    const { database } = this.#options;
    await database.transaction(async (transaction) => {
      await dropSchema(transaction, this.#schemas.beside);
      const text = `CREATE SCHEMA "${this.#schemas.beside}"`;
      await transaction.query({ text, values: [] });
    });
  }

  async prepare(now: Date): Promise<AnalyticsStore> {
    const { database, migrations, retention, storeOf } = this.#options;
    const { beside } = this.#schemas;
    await this.clean();
    const shadow = inSchema(database, beside);
    await migrate(shadow, migrations);
    const live = await readProgress(database, { lock: false });
    await shadow.transaction(async (transaction) => {
      await beginProgress(transaction, keptAt(now, retention));
      const { ledgerCursor, kept } = await readProgress(transaction, { lock: true });
      if (ledgerCursor === '') await moveKept(transaction, laterOf(kept, live.kept));
    });
    const store = storeOf(shadow);
    await this.#carrySums(shadow, store);
    return store;
  }

  /** Takes over, day by day, sums whose facts are kept no more. */
  async #carrySums(shadow: Database, store: AnalyticsStore): Promise<void> {
    const { database } = this.#options;
    const begun = await readProgress(shadow, { lock: false });
    const [, digits] = carried.exec(begun.ledgerCursor) ?? [];
    if (begun.ledgerCursor !== '' && digits === undefined) return;
    const { kept } = begun;
    const days = await daysOfOwnSums(database, kept);
    let after = begun.ledgerCursor;
    for (const dayStartMs of days) {
      if (digits !== undefined && dayStartMs <= Number(digits)) continue;
      const rows = await readOwnSums(database, dayStartMs, kept);
      const changes = rows.map((row) => ({ before: undefined, after: row }));
      const next = `live/${dayStartMs}`;
      await store.apply(changes, { kind: 'ledger', after, next });
      after = next;
    }
  }

  ledgerCursorOf(cursor: string): string {
    return carried.test(cursor) ? '' : cursor;
  }

  async asCounted(changes: readonly RowChange[]): Promise<readonly RowChange[]> {
    return await withLiveTimes(this.#options.database, changes);
  }

  async carryFacts(store: AnalyticsStore): Promise<void> {
    await this.#carryFacts(this.#options.database, store, await this.#keptBeside());
  }

  async #keptBeside(): Promise<Kept> {
    const shadow = inSchema(this.#options.database, this.#schemas.beside);
    return (await readProgress(shadow, { lock: false })).kept;
  }

  async #carryFacts(live: Queryable, store: AnalyticsStore, kept: Kept): Promise<void> {
    for (;;) {
      const cursor = await store.ledgerCursor();
      const rows = await readOwnFacts(live, this.#schemas.beside, kept);
      if (rows.length === 0) return;
      const changes = rows.map((after) => ({ before: undefined, after }));
      await store.apply(changes, { kind: 'ledger', after: cursor, next: cursor });
    }
  }

  async takePlace(now: Date, readRest: (store: AnalyticsStore) => Promise<void>): Promise<void> {
    const { database, storeOf } = this.#options;
    const { live, beside } = this.#schemas;
    const connection = await database.connect();
    try {
      await connection.transaction(async (transaction) => {
        const run = async (text: string) => await transaction.query({ text, values: [] });
        await run(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
        const locked = ['progress', ...carriedTables].map((table) => `"${live}".${table}`);
        await run(`LOCK TABLE ${locked.join(', ')} IN ACCESS EXCLUSIVE MODE`);
        await run(`SET LOCAL search_path = "${beside}"`);
        const store = storeOf(within(database, transaction, beside));
        await readRest(store);
        const { kept } = await readProgress(transaction, { lock: false });
        await this.#carryFacts(readerOf(transaction, this.#schemas), store, kept);
        await run(`UPDATE progress SET ledger_cursor = '' WHERE ledger_cursor LIKE 'live/%'`);
        await store.ledgerIsRead(now);
        for (const table of carriedTables)
          await run(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM "${live}".${table}`);
        await switchSchemas(transaction, this.#schemas);
      });
    } finally {
      await connection.close();
    }
  }
}

/** Reads the live tables within a transaction that writes the others. */
function readerOf(transaction: Queryable, { live, beside }: Schemas): Queryable {
  const choose = async (schema: string) =>
    await transaction.query({ text: `SET LOCAL search_path = "${schema}"`, values: [] });
  return {
    async query(statement) {
      await choose(live);
      const rows = await transaction.query(statement);
      await choose(beside);
      return rows as never;
    },
  };
}

function laterOf(one: Kept, other: Kept): Kept {
  return {
    factsMs: Math.max(one.factsMs, other.factsMs),
    hoursMs: Math.max(one.hoursMs, other.hoursMs),
    daysMs: Math.max(one.daysMs, other.daysMs),
  };
}
