import type { Question } from '@sluice/analytics-model';
import { Fault } from '@sluice/errors';
import type { Database } from '@sluice/read-model';
import { added, type Increment, removed } from '../../domain/increment.ts';
import type { TableSums } from '../../domain/compare-sums.ts';
import type { UsageRow } from '../../domain/usage-row.ts';
import {
  type AnalyticsStore,
  type Answer,
  type Applied,
  type BatchSource,
  type CountedNames,
  type EntityName,
  type PartOfDay,
  type RebuiltStore,
  type Retention,
  type RowChange,
  StaleCursor,
} from '../analytics-store.ts';
import { answerRows } from './answer-rows.ts';
import { addToSums } from './add-to-sums.ts';
import { buildQuery } from './build-query.ts';
import { compactPartitions } from './compact.ts';
import { DictionaryNumbers } from './dictionary-numbers.ts';
import { dayMs, dayOf, floorTo } from '../instants.ts';
import { packed, type PackedAnswer } from './packed-answer.ts';
import { dropPartitions, dropUnused, Partitions } from './partitions.ts';
import { type Kept, keptAt } from '../plan.ts';
import { beginProgress, moveCursor, moveKept, noteLedgerRead, readProgress } from './progress.ts';
import { warningsOfKeys, writeNames } from './names.ts';
import { readPlanOf } from './read-plan.ts';
import { accountBehind, readSums } from './read-sums.ts';
import { timedOut } from './timed-out.ts';
import { PostgresRebuild } from './rebuild/postgres-rebuild.ts';
import { areStored, writeFacts } from './write-facts.ts';

export interface PostgresStoreOptions {
  readonly database: Database;
  /** Asks questions; a statement of it ends when an answer takes too long. */
  readonly questions: Database;
  readonly retention: Retention;
}

/** A partition is dropped only if the ledger was read to its end within this time. */
const ledgerReadMsMax = 600_000;

export class PostgresStore implements AnalyticsStore {
  readonly #database: Database;
  readonly #questions: Database;
  readonly #retention: Retention;
  readonly #partitions = new Partitions();
  readonly #numbers = new DictionaryNumbers();
  #generation = '';

  constructor({ database, questions, retention }: PostgresStoreOptions) {
    this.#database = database;
    this.#questions = questions;
    this.#retention = retention;
  }

  /** Returns the way to make the tables again beside the live ones. */
  rebuilt(migrations: string): RebuiltStore {
    const retention = this.#retention;
    return new PostgresRebuild({
      database: this.#database,
      migrations,
      retention,
      storeOf: (database) => new PostgresStore({ database, questions: database, retention }),
    });
  }

  async begin(now: Date): Promise<void> {
    await beginProgress(this.#database, keptAt(now, this.#retention));
  }

  async apply(changes: readonly RowChange[], source: BatchSource): Promise<Applied> {
    try {
      return await this.#database.transaction(async (transaction) => {
        const { generation, ledgerCursor, kept } = await readProgress(transaction, { lock: true });
        this.#remember(generation);
        if (source.kind === 'ledger' && source.after !== ledgerCursor) throw new StaleCursor();
        const { current, past, late } = sorted(changes, source, kept);
        const touched = [...current, ...past.map(({ row }) => row)];
        await this.#partitions.ensure(transaction, touched, kept);
        const numbers = await this.#numbers.number(transaction, touched);
        const numberOf = (row: UsageRow) => numbers.get(row) ?? absent(row);
        const written = await writeFacts(transaction, current.map(numberOf));
        const older = past.map(({ row, sign }) => ({ row: numberOf(row), sign }));
        await addToSums(transaction, [...written, ...older], kept);
        if (source.kind === 'ledger') await moveCursor(transaction, source.next);
        const counted = written.filter(({ sign }) => sign === 1n).length;
        return { counted: counted + past.length, repeated: current.length - counted, late };
      });
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** Tables that took the place of others have other partitions and other numbers. */
  #remember(generation: string): void {
    if (generation !== this.#generation) this.#forget();
    this.#generation = generation;
  }

  #forget(): void {
    this.#partitions.forget();
    this.#numbers.forget();
  }

  async hasFacts(names: readonly CountedNames[]): Promise<boolean> {
    const { kept } = await readProgress(this.#database, { lock: false });
    const firstDay = dayOf(kept.factsMs);
    if (names.some(({ day }) => day < firstDay)) return false;
    return await areStored(this.#database, names);
  }

  async applyNames(names: readonly EntityName[]): Promise<void> {
    await writeNames(this.#database, names);
  }

  async ledgerCursor(): Promise<string> {
    return (await readProgress(this.#database, { lock: false })).ledgerCursor;
  }

  async ledgerIsRead(now: Date): Promise<void> {
    await noteLedgerRead(this.#database, now);
  }

  async answer(accountId: string, question: Question): Promise<Answer> {
    const { kept } = await readProgress(this.#database, { lock: false });
    const { segments, warnings } = readPlanOf(question, kept);
    const account = this.#questions.forAccount(accountId);
    const unknown = await warningsOfKeys(account, question);
    const all = [...warnings, ...unknown];
    if (segments.length === 0) return { rows: [], truncated: false, warnings: all };
    const statement = packed(buildQuery(accountId, question, segments), question);
    const [answer] = await account.query<PackedAnswer>(statement).catch(timedOut);
    return { ...answerRows(answer, question), warnings: all };
  }

  async sumsOf(accountId: string, part: PartOfDay): Promise<readonly TableSums[]> {
    const keptAfter = async () => (await readProgress(this.#database, { lock: false })).kept;
    return await readSums(this.#questions.forAccount(accountId), part, keptAfter).catch(timedOut);
  }

  async accountBehind(accountId: string): Promise<string | undefined> {
    return await accountBehind(this.#questions, accountId);
  }

  async ledgerReadAt(): Promise<Date | undefined> {
    return (await readProgress(this.#database, { lock: false })).ledgerReadAt ?? undefined;
  }

  async retain(now: Date): Promise<number> {
    const wanted = keptAt(now, this.#retention);
    const dropped = await this.#database.transaction(async (transaction) => {
      const { kept, ledgerReadAt } = await readProgress(transaction, { lock: true });
      const isRead =
        ledgerReadAt !== null && now.getTime() - ledgerReadAt.getTime() < ledgerReadMsMax;
      const next: Kept = {
        factsMs: isRead ? Math.max(kept.factsMs, wanted.factsMs) : kept.factsMs,
        hoursMs: Math.max(kept.hoursMs, wanted.hoursMs),
        daysMs: Math.max(kept.daysMs, wanted.daysMs),
      };
      await moveKept(transaction, next);
      const count = await dropPartitions(transaction, next);
      if (count > 0) await dropUnused(transaction, next);
      return count;
    });
    if (dropped > 0) this.#forget();
    await compactPartitions(this.#database, now).catch(unlessBusy);
    return dropped;
  }
}

/**
 * Splits changes into facts that have a row of their own, and older ones, which only the ledger brings once. The bus
 * may bring a fact of the oldest day after its row is gone, so these days are left to the ledger.
 */
function sorted(changes: readonly RowChange[], source: BatchSource, kept: Kept) {
  const current: UsageRow[] = [];
  const past: Increment[] = [];
  let late = 0;
  const firstMs = source.kind === 'bus' ? kept.factsMs + dayMs : kept.factsMs;
  for (const { before, after } of changes) {
    if (floorTo(after.atMs, dayMs) >= firstMs) current.push(after);
    else if (source.kind === 'bus') late += 1;
    else {
      if (before) past.push(removed(before));
      past.push(added(after));
    }
  }
  return { current, past, late };
}

function absent({ factId }: UsageRow): never {
  throw new Error(`invariant: ${factId} has its numbers`);
}

/** Others read or write the partition, or the machine is busy: it is rewritten the next time. */
function unlessBusy(error: unknown): void {
  if (!(error instanceof Fault && error.retryable)) throw error;
}
