import { setTimeout as delay } from 'node:timers/promises';
import type { EventMark, EventStore } from '@sluice/es';
import type { Database } from '../database.ts';
import { describeDivergence, EventStoreDiverged, lookFor, type Looks } from './divergence.ts';
import { nameInstallation } from './installation.ts';
import { forgetSeenMarks, type KnownLog, rememberInstallation } from './known-log.ts';

/** A node that has just begun to lead may not show its newest events at once. */
const looks = 4;
const lookAgainMs = 400;

export interface Verifying {
  readonly eventStore: Looks & Pick<EventStore, 'append'>;
  readonly database: Database;
  readonly signal: AbortSignal;
}

/**
 * Compares the log with what the read models know of it. Returns the newest mark that both have: up to there
 * the log is the same. Throws EventStoreDiverged, or the Fault of what is away.
 */
export async function verifyLog(verifying: Verifying, known: KnownLog): Promise<EventMark> {
  const { eventStore, database } = verifying;
  const { installation, newestApplied, newestSeen } = known;
  if (newestSeen) {
    const look = await lookFor(eventStore, newestSeen);
    if (look === 'same') return await withInstallation(verifying, known, newestSeen);
  }
  const newest = newestApplied ?? installation;
  if (newest === undefined) return await adopt(verifying);
  if (!(await isThere(verifying, newest)))
    throw new EventStoreDiverged(await describeDivergence(eventStore, newest, installation));
  // The store may have scavenged an event that was only seen, or has lost one that no read model applied.
  if (newestSeen) await forgetSeenMarks(database, newest);
  return await withInstallation(verifying, known, newest);
}

/** Another event in its place is conclusive. None may mean that the node does not show it yet. */
async function isThere({ eventStore, signal }: Verifying, mark: EventMark): Promise<boolean> {
  for (let look = 1; ; look++) {
    const found = await lookFor(eventStore, mark);
    if (found !== 'nothing' || look === looks) return found === 'same';
    await delay(lookAgainMs, undefined, { signal });
  }
}

async function withInstallation(
  verifying: Verifying,
  { installation }: KnownLog,
  mark: EventMark,
): Promise<EventMark> {
  if (installation === undefined) await adopt(verifying);
  return mark;
}

/** Takes the store as ours and remembers its name, since nothing is known that could differ. */
async function adopt({ eventStore, database }: Verifying): Promise<EventMark> {
  const name = await nameInstallation(eventStore);
  await rememberInstallation(database, name);
  return name;
}
