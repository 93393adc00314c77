import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '@sluice/es';
import { loadCheckpoint, type ProjectionId } from '../checkpoint.ts';
import type { Database } from '../database.ts';
import { skippedIds } from './skipped-events.ts';
import { noteStandstill, standsAt } from './standstill.ts';

/** Milliseconds between the checks of a stopped projection whether it may go on. */
const lookMs = 2_000;

export interface StandingStill {
  readonly database: Database;
  readonly projection: ProjectionId;
  readonly event: RecordedEvent;
  /** Number of rebuilds of the rows before the stop. */
  readonly rebuilds: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves when a stopped projection may try again: the event is skipped, another process has passed it, the checkpoint
 * was moved, or the signal aborts. While PostgreSQL is away, it checks again later.
 */
export async function untilFreed(standing: StandingStill): Promise<void> {
  const { database, projection, event, signal } = standing;
  let isNoted = false;
  while (!signal.aborted) {
    try {
      if (!isNoted) await noteStandstill(database, projection, event);
      else if (await isFree(standing)) return;
      isNoted = true;
    } catch {
      // PostgreSQL is away: the next check notes and sees the same.
    }
    await delay(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

async function isFree({ database, projection, event, rebuilds }: StandingStill): Promise<boolean> {
  const checkpoint = await loadCheckpoint(database, projection);
  if ((checkpoint?.rebuilds ?? 0) !== rebuilds) return true;
  if (!(await standsAt(database, projection, event))) return true;
  return (await skippedIds(database, database.schema, projection.projection)).has(event.id);
}
