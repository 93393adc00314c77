import { added, type Increment, removed } from '../../domain/increment.ts';
import type { UsageRow } from '../../domain/usage-row.ts';
import { type Applied, type BatchSource, type RowChange, StaleCursor } from '../analytics-store.ts';
import { dayMs, floorTo, hourMs } from '../instants.ts';
import { sortRevisions } from '../sort-revisions.ts';
import { storedRevisions, writeChanges, writeFacts, writePast } from './facts.ts';
import { type AccountHour, claimMarks, makeMarks, readyMarks } from './marks.ts';
import { moveCursor, notePending, type Progress, readProgress } from './progress.ts';
import { recount, type SealParts } from './seal.ts';

/** Other replicas move what is kept or added up only every few minutes. */
const attemptsMax = 10;

/**
 * Writes facts, and adds up again the hours of those that came late. Everything may be done twice: a row is written
 * over by itself, and sums are made of the facts that are there. Work that a killed process left has a mark.
 */
export async function applyBatch(
  parts: SealParts,
  changes: readonly RowChange[],
  source: BatchSource,
): Promise<Applied> {
  const { clickHouse, database } = parts;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const progress = await readProgress(database, { lock: false });
    requireCursor(source, progress);
    const { current, past, late } = sorted(changes, source, progress);
    const revisions = sortRevisions(current, await storedRevisions(clickHouse, current));
    const counting = [...revisions.fresh, ...revisions.newer];
    const rows = [...counting, ...revisions.sooner];
    const isEmpty = rows.length + revisions.past.length + past.length === 0;
    if (source.kind === 'ledger' && !isEmpty && !(await notePending(database, source.after)))
      throw new StaleCursor();
    const known = lateHours(
      current.filter((row) => !counting.includes(row)),
      progress,
    );
    await claimMarks(database, known);
    const marks = await makeMarks(database, lateHours(counting, progress));
    const isWritten = await database.transaction(async (transaction) => {
      const latest = await readProgress(transaction, { lock: true });
      requireCursor(source, latest);
      if (hasMoved(progress, latest) || !(await readyMarks(transaction, marks))) return false;
      await writePast(clickHouse, revisions);
      await writeFacts(clickHouse, rows);
      await writeChanges(clickHouse, past);
      if (source.kind === 'ledger') await moveCursor(transaction, source.next);
      return true;
    });
    if (!isWritten) continue;
    if (marks.length > 0 || known.length > 0) await recount(parts);
    const counted = counting.length + past.length;
    return { counted, repeated: current.length - counting.length, late };
  }
  throw new Error('invariant: what is kept or added up moves rarely');
}

function requireCursor(source: BatchSource, { ledgerCursor }: Progress): void {
  if (source.kind === 'ledger' && source.after !== ledgerCursor) throw new StaleCursor();
}

const hasMoved = (before: Progress, now: Progress) =>
  before.sealingMs !== now.sealingMs ||
  before.closedMs !== now.closedMs ||
  before.kept.factsMs !== now.kept.factsMs;

/**
 * Splits changes into facts that have a row of their own, and those of days whose facts are gone, which only the ledger
 * brings once. The bus may bring a fact of the oldest day after its row is gone, so these days are left to the ledger.
 */
function sorted(changes: readonly RowChange[], source: BatchSource, { kept, closedMs }: Progress) {
  const current: UsageRow[] = [];
  const past: Increment[] = [];
  let late = 0;
  const firstMs = source.kind === 'bus' ? kept.factsMs + dayMs : closedMs;
  for (const { before, after } of changes) {
    const startMs = floorTo(after.atMs, dayMs);
    if (startMs >= firstMs) current.push(after);
    else if (source.kind === 'bus') late += 1;
    else if (startMs >= kept.daysMs) {
      if (before) past.push(removed(before));
      past.push(added(after));
    }
  }
  return { current, past, late };
}

/** Returns the hours that are in the tables of sums already, each once per account. */
function lateHours(
  rows: readonly UsageRow[],
  { sealingMs }: Pick<Progress, 'sealingMs'>,
): readonly AccountHour[] {
  const hours = new Map<string, AccountHour>();
  for (const { accountId, atMs } of rows) {
    const startMs = floorTo(atMs, hourMs);
    if (startMs < sealingMs) hours.set(`${accountId}/${startMs}`, { accountId, hourMs: startMs });
  }
  return [...hours.values()];
}
