import type { DimensionName, MetricName, Question } from '@sluice/analytics-model';
import type { TableSums } from '../domain/compare-sums.ts';
import type { UsageRow } from '../domain/usage-row.ts';

/** The source of a batch. The ledger brings each entry once, in its order. The bus may bring a message again. */
export type BatchSource =
  | { readonly kind: 'bus' }
  | { readonly kind: 'ledger'; readonly after: string; readonly next: string };

/** A correction of the ledger, for a fact that has no row of its own any more. */
export interface RowChange {
  readonly before: UsageRow | undefined;
  readonly after: UsageRow;
}

export interface Applied {
  /** New facts, and facts with a newer revision. */
  readonly counted: number;
  readonly repeated: number;
  /** Facts of days that are kept no more, or that only the ledger may still bring. */
  readonly late: number;
}

/** Facts that the ledger has counted, and that have all else in common. */
export interface CountedNames {
  readonly factIds: readonly string[];
  readonly revision: number;
  /** `2026-11-18` */
  readonly day: string;
  /** When the ledger counted them. Undefined: the revision says itself, or the ledger does not. */
  readonly countedAtMs: number | undefined;
}

/** The name of a key, a workspace or a member. */
export interface EntityName {
  readonly accountId: string;
  readonly kind: string;
  readonly entityId: string;
  readonly name: string;
  readonly email: string;
  readonly namedAt: string;
}

/** One row of an answer. Numbers are exact until they are shown. */
export interface AnswerRow {
  /** The start of the bucket. Undefined: a total. */
  readonly at: Date | undefined;
  readonly dimensions: Readonly<Partial<Record<DimensionName, string | null>>>;
  readonly emails: Readonly<Partial<Record<DimensionName, string | null>>>;
  readonly metrics: Readonly<Partial<Record<MetricName, number | null>>>;
}

export interface Answer {
  readonly rows: readonly AnswerRow[];
  readonly truncated: boolean;
  readonly warnings: readonly string[];
}

/** A store that is made again beside itself while it answers. A rebuild that was killed goes on where it was. */
export interface RebuiltStore {
  /** Notes that a rebuild is wanted, until it has ended. */
  want(): Promise<void>;
  isWanted(): Promise<boolean>;
  /** Drops what an earlier rebuild has replaced and could not drop. */
  clean(): Promise<void>;
  /** Returns how many facts the store beside has counted into the hours that it keeps. */
  countedFacts(): Promise<bigint>;
  /** Does the work of a rebuild unless another replica does. Undefined: another one does. */
  alone<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  /** Forgets what a rebuild has done. */
  startAgain(): Promise<void>;
  /** Opens the store beside, with the old sums that the ledger does not have. */
  prepare(now: Date): Promise<AnalyticsStore>;
  /** Returns the cursor of the ledger for a cursor of the store beside. */
  ledgerCursorOf(cursor: string): string;
  /** Returns changes of the ledger with the times at which the live store has counted them, where it has. */
  asCounted(changes: readonly RowChange[]): Promise<readonly RowChange[]>;
  /** Takes over facts that the ledger does not have. */
  carryFacts(store: AnalyticsStore): Promise<void>;
  /** Takes over the rest, and the place of the live store, in one transaction. No other replica writes meanwhile. */
  takePlace(now: Date, readRest: (store: AnalyticsStore) => Promise<void>): Promise<void>;
}

/** Another replica has applied these entries of the ledger. */
export class StaleCursor extends Error {
  override readonly name = 'StaleCursor';
}

/** The store cannot hold a value. Another attempt has the same result. */
export class RefusedValue extends Error {
  override readonly name = 'RefusedValue';
}

/** A day of UTC, or some of its hours. */
export interface PartOfDay {
  readonly startMs: number;
  readonly endMs: number;
}

/** The days that rows are kept. */
export interface Retention {
  readonly factDays: number;
  readonly hourDays: number;
  readonly dayDays: number;
}

/**
 * The store of analytics. Its contract: whatever is applied twice, out of order or late, the sums are those of the
 * newest revision of each fact, once.
 */
export interface AnalyticsStore {
  /** Applies the changes and moves the checkpoint, together or not at all. Throws StaleCursor. */
  apply(changes: readonly RowChange[], source: BatchSource): Promise<Applied>;
  /**
   * True if the store has each of these facts, of this revision or a newer one, and none of them as counted long after
   * the ledger has.
   */
  hasFacts(names: readonly CountedNames[]): Promise<boolean>;
  applyNames(names: readonly EntityName[]): Promise<void>;
  /** The cursor behind the last entry of the ledger that was applied. Empty: none. */
  ledgerCursor(): Promise<string>;
  /**
   * Throws timeout when the answer takes too long. The query is ended then. Throws invalid_request for a question about
   * what was known at an instant, if single facts of its range are kept no more.
   */
  answer(accountId: string, question: Question): Promise<Answer>;
  /** Returns what each table adds up to that keeps a day of UTC, or some of its hours. Throws timeout. */
  sumsOf(accountId: string, part: PartOfDay): Promise<readonly TableSums[]>;
  /** Returns the next account of which anything is known, by the order of ids. Empty: the first. */
  accountBehind(accountId: string): Promise<string | undefined>;
  /** When the end of the ledger was last reached. Undefined: never. */
  ledgerReadAt(): Promise<Date | undefined>;
  /** Makes what the first start needs. Called once, before all else. */
  begin(now: Date): Promise<void>;
  /** Notes that the end of the ledger was reached. Nothing is dropped for long without it. */
  ledgerIsRead(now: Date): Promise<void>;
  /**
   * Drops what is older than is kept. A store that adds up later does that first. Returns the number of partitions that
   * were dropped.
   */
  retain(now: Date): Promise<number>;
}
