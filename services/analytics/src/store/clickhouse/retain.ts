import type { Retention } from '../analytics-store.ts';
import { dayMs, floorTo } from '../instants.ts';
import { keptAt } from '../plan.ts';
import { firstMark } from './marks.ts';
import { dropPartitions } from './partitions.ts';
import { moveKept, type Progress, readProgress } from './progress.ts';
import { recount, seal, type SealParts } from './seal.ts';

/** Facts are dropped only if the ledger was read to its end within this time. */
const ledgerReadMsMax = 600_000;

/**
 * Adds up what has ended, and drops what is kept no longer. One replica does it at a time: sums that are made of facts
 * which another one has dropped would be zero.
 */
export async function retain(parts: SealParts, now: Date, retention: Retention): Promise<number> {
  const connection = await parts.database.connect();
  try {
    const [row] = await connection.query<{ locked: boolean }>({
      text: 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
      values: [`sluice/analytics/clickhouse/${parts.database.schema}`],
    });
    if (row?.locked !== true) return 0;
    await recount(parts);
    await seal(parts, now, connection.lost);
    connection.lost.throwIfAborted();
    const progress = await moveBounds(parts, now, retention);
    return await dropPartitions(parts.clickHouse, progress);
  } finally {
    await connection.close();
  }
}

/** Moves the bounds of what is kept. The facts of a day stay while it may have to be added up again. */
async function moveBounds(
  { database }: SealParts,
  now: Date,
  retention: Retention,
): Promise<Progress> {
  const wanted = keptAt(now, retention);
  return await database.transaction(async (transaction) => {
    const progress = await readProgress(transaction, { lock: true });
    const { kept, ledgerReadAt, isPending, sealedMs } = progress;
    const isRead =
      ledgerReadAt !== null && now.getTime() - ledgerReadAt.getTime() < ledgerReadMsMax;
    const mayClose = isRead && !isPending;
    const next = {
      factsMs: mayClose ? Math.max(kept.factsMs, wanted.factsMs) : kept.factsMs,
      hoursMs: Math.max(kept.hoursMs, wanted.hoursMs),
      daysMs: Math.max(kept.daysMs, wanted.daysMs),
    };
    const markMs = await firstMark(transaction);
    const closable = Math.min(next.factsMs, sealedMs, markMs ?? Infinity);
    const closedMs = mayClose
      ? Math.max(progress.closedMs, floorTo(closable, dayMs))
      : progress.closedMs;
    await moveKept(transaction, next, closedMs);
    return { ...progress, kept: next, closedMs };
  });
}
