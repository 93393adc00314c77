import type { Database } from '@sluice/read-model';
import { dayMs, floorTo, hourMs } from '../instants.ts';
import type { ClickHouse } from './engine.ts';
import { type Mark, removeMarks, takeMarks } from './marks.ts';
import { beginSealing, nextVersion, noteSealed, readProgress } from './progress.ts';
import { daysOf, type Scope, sumsStatement, tablesOf } from './sums.ts';
import type { Rollup } from '../tables.ts';

export interface SealParts {
  readonly clickHouse: ClickHouse;
  readonly database: Database;
}

/** Most facts of an hour have come so long after its end. A later one has its hour added up again. */
const settleMs = 900_000;
/** The time limit of a statement that adds up. */
const addingMs = 600_000;
/** Hours that are added up again by one statement. */
const marksMax = 100;

/**
 * Adds up the hours and days that have ended, for all accounts. First it announces them: from then on, a fact of one
 * leaves a mark, so that none is missed between the reading of facts and the end.
 */
export async function seal(parts: SealParts, now: Date, signal: AbortSignal): Promise<void> {
  const { database } = parts;
  const targetMs = floorTo(now.getTime() - settleMs, hourMs);
  const { sealedMs, ledgerReadAt } = await readProgress(database, { lock: false });
  // Before the ledger was read once, nearly every fact would have its hour added up again.
  if (ledgerReadAt === null || targetMs <= sealedMs) return;
  await beginSealing(database, targetMs);
  const hours = await hoursWithFacts(parts, sealedMs, targetMs);
  const first = floorTo(sealedMs, dayMs);
  const days = [...new Set([first, ...hours.map((ms) => floorTo(ms, dayMs))])].toSorted(
    (a, b) => a - b,
  );
  for (const startMs of days) {
    const endMs = startMs + dayMs;
    for (const ms of hours.filter((one) => one >= startMs && one < endMs)) {
      signal.throwIfAborted();
      await addUp(parts, 'hour', { startMs: ms, endMs: ms + hourMs });
    }
    if (endMs > targetMs) continue;
    await addUp(parts, 'day', { startMs, endMs });
    signal.throwIfAborted();
    await noteSealed(database, endMs);
  }
  await noteSealed(database, targetMs);
}

async function hoursWithFacts(
  { clickHouse }: SealParts,
  startMs: number,
  endMs: number,
): Promise<readonly number[]> {
  const found = await clickHouse.query<{ second: number }>(
    {
      text: `SELECT DISTINCT toUnixTimestamp(hour) AS second FROM facts
        WHERE hour >= toDateTime({start:UInt32}, 'UTC') AND hour < toDateTime({end:UInt32}, 'UTC')`,
      values: { start: startMs / 1_000, end: endMs / 1_000 },
    },
    addingMs,
  );
  return found.map(({ second }) => second * 1_000).toSorted((a, b) => a - b);
}

const recounting = new WeakMap<Database, Promise<void>>();

/** Adds up again the hours that have a mark, and their days. In a process, one call comes after the other. */
export async function recount(parts: SealParts): Promise<void> {
  const before = recounting.get(parts.database) ?? Promise.resolve();
  const own = before.catch(() => undefined).then(() => recountMarks(parts));
  recounting.set(parts.database, own);
  await own;
}

async function recountMarks(parts: SealParts): Promise<void> {
  const { database } = parts;
  for (;;) {
    const marks = await takeMarks(database, marksMax);
    if (marks.length === 0) return;
    const { closedMs } = await readProgress(database, { lock: false });
    // Without its facts, an hour would become zero. A mark of it was made by a process that wrote nothing.
    const open = uniqueOf(marks.filter((mark) => mark.hourMs >= closedMs));
    if (open.length > 0) {
      await addUp(parts, 'hour', { buckets: open });
      // A day that is announced after this reads the new sums of the hours.
      const { sealingMs } = await readProgress(database, { lock: false });
      const days = daysOf(open).filter((day) => day.hourMs + dayMs <= sealingMs);
      if (days.length > 0) await addUp(parts, 'day', { buckets: days });
    }
    await removeMarks(database, marks);
  }
}

function uniqueOf(marks: readonly Mark[]): readonly Mark[] {
  return [...new Map(marks.map((mark) => [`${mark.accountId}/${mark.hourMs}`, mark])).values()];
}

async function addUp(
  { clickHouse, database }: SealParts,
  bucket: Rollup['bucket'],
  scope: Scope,
): Promise<void> {
  for (const rollup of tablesOf(bucket)) {
    const version = await nextVersion(database);
    await clickHouse.command(sumsStatement(rollup, scope, version), addingMs);
  }
}
