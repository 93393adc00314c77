import type { Question } from '@sluice/analytics-model';
import type { Database } from '@sluice/read-model';
import type { TableSums } from '../../domain/compare-sums.ts';
import type {
  AnalyticsStore,
  Answer,
  Applied,
  BatchSource,
  EntityName,
  CountedNames,
  PartOfDay,
  Retention,
  RowChange,
} from '../analytics-store.ts';
import { planOf } from '../plan.ts';
import { answerRow, type StoredAnswer } from './answer-row.ts';
import { applyBatch } from './apply-batch.ts';
import { buildQuery } from './build-query.ts';
import type { ClickHouse } from './engine.ts';
import { areStored } from './facts.ts';
import { migrate } from './migrate.ts';
import { warningsOfKeys, writeNames } from './names.ts';
import { beginProgress, noteLedgerRead, readProgress } from './progress.ts';
import { accountBehind, readSums } from './read-sums.ts';
import { retain } from './retain.ts';
import type { SealParts } from './seal.ts';
import { sealedSegments } from './segments.ts';

export interface ClickHouseStoreOptions {
  readonly clickHouse: ClickHouse;
  /** Has the progress: the cursor of the ledger, what is kept, and what has to be added up. */
  readonly database: Database;
  readonly retention: Retention;
  /** The time limit of a question. */
  readonly questionMsMax: number;
}

/** Facts and sums in ClickHouse. Facts are written as they come, and sums are made of them once their hour is over. */
export class ClickHouseStore implements AnalyticsStore {
  readonly #parts: SealParts;
  readonly #retention: Retention;
  readonly #questionMsMax: number;

  constructor({ clickHouse, database, retention, questionMsMax }: ClickHouseStoreOptions) {
    this.#parts = { clickHouse, database };
    this.#retention = retention;
    this.#questionMsMax = questionMsMax;
  }

  async begin(now: Date): Promise<void> {
    const { clickHouse, database } = this.#parts;
    await migrate(clickHouse);
    const idOf = () =>
      clickHouse.query<{ id: string }>({
        text: 'SELECT id FROM identity ORDER BY made_at, id LIMIT 1',
        values: {},
      });
    if ((await idOf()).length === 0)
      await clickHouse.command({
        text: 'INSERT INTO identity (id) SELECT toString(generateUUIDv4())',
        values: {},
      });
    const [identity] = await idOf();
    if (!identity) throw new Error('invariant: a database has an id');
    await beginProgress(database, identity.id, now, this.#retention);
  }

  async apply(changes: readonly RowChange[], source: BatchSource): Promise<Applied> {
    return await applyBatch(this.#parts, changes, source);
  }

  async hasFacts(names: readonly CountedNames[]): Promise<boolean> {
    const { clickHouse, database } = this.#parts;
    const { closedMs, isPending } = await readProgress(database, { lock: false });
    // A batch that failed may have written facts whose hours were not added up again.
    if (isPending || names.some(({ day }) => Date.parse(day) < closedMs)) return false;
    return await areStored(clickHouse, names);
  }

  async applyNames(names: readonly EntityName[]): Promise<void> {
    await writeNames(this.#parts.clickHouse, names);
  }

  async ledgerCursor(): Promise<string> {
    return (await readProgress(this.#parts.database, { lock: false })).ledgerCursor;
  }

  async ledgerIsRead(now: Date): Promise<void> {
    await noteLedgerRead(this.#parts.database, now);
  }

  async answer(accountId: string, question: Question): Promise<Answer> {
    const { clickHouse, database } = this.#parts;
    const progress = await readProgress(database, { lock: false });
    const { segments, warnings } = planOf(question, progress.kept);
    const unknown = await warningsOfKeys(clickHouse, accountId, question);
    const all = [...warnings, ...unknown];
    if (segments.length === 0) return { rows: [], truncated: false, warnings: all };
    const found = await clickHouse.query<StoredAnswer>(
      buildQuery(accountId, question, sealedSegments(segments, progress)),
      this.#questionMsMax,
    );
    const rows = found.slice(0, question.limit).map((row) => answerRow(row, question));
    return { rows, truncated: found.length > question.limit, warnings: all };
  }

  async sumsOf(accountId: string, part: PartOfDay): Promise<readonly TableSums[]> {
    const { clickHouse, database } = this.#parts;
    const progressAfter = () => readProgress(database, { lock: false });
    const parts = { timeLimitMs: this.#questionMsMax, progressAfter };
    return await readSums(clickHouse, accountId, part, parts);
  }

  async accountBehind(accountId: string): Promise<string | undefined> {
    return await accountBehind(this.#parts.clickHouse, accountId);
  }

  async ledgerReadAt(): Promise<Date | undefined> {
    const { ledgerReadAt } = await readProgress(this.#parts.database, { lock: false });
    return ledgerReadAt ?? undefined;
  }

  async retain(now: Date): Promise<number> {
    return await retain(this.#parts, now, this.#retention);
  }
}
