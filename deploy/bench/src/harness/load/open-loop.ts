import { setTimeout as delay } from 'node:timers/promises';
import { count, drained, type LoadTarget, openConnections } from './closed-loop.ts';
import type { Connection, Outcome } from './connection.ts';
import { type LoadResult, Tally } from './tally.ts';
import { processTicker } from './ticker.ts';

export interface OpenLoop extends LoadTarget {
  readonly sendingMs: number;
  readonly requestsPerSecond: number;
  /** Ends the loop before its time: the rest is not sent. */
  readonly limits?: OpenLoopLimits | undefined;
}

/** A loop is over when more answers are wrong, or slow, than that. */
export interface OpenLoopLimits {
  readonly faultsMax: number;
  readonly slowFromMs: number;
  readonly slowMax: number;
}

/** Requests that are due and find no free connection wait here; each is a fault beyond that. */
const waitingMax = 100_000;

/**
 * Requests by the clock, whether or not earlier ones are answered, and latencies from when each was due: a
 * server that stands still for a while is late for all who would have come meanwhile. What the load itself
 * is late, with a free connection in hand, is not the server's: it is counted apart.
 */
export async function runOpenLoop(loop: OpenLoop): Promise<LoadResult> {
  const tally = new Tally();
  const gapMs = 1_000 / loop.requestsPerSecond;
  const isOver = overBy(loop.limits);
  const over = Promise.withResolvers<'over'>();
  let total = Math.max(1, Math.floor(loop.sendingMs / gapMs));
  const free: Connection[] = [];
  let startMs = Number.POSITIVE_INFINITY;
  /** Requests are numbered as they are due; those below it were sent or have been given up. */
  let next = 0;
  let answered = 0;
  const sendDue = () => {
    for (let nowMs = performance.now(); next < total; nowMs = performance.now()) {
      const dueMs = startMs + next * gapMs;
      if (dueMs > nowMs) return;
      const connection = free.shift();
      if (!connection) return;
      const lateMs = nowMs - Math.max(dueMs, connection.freeMs);
      tally.lateness.record(lateMs);
      connection.dueMs = dueMs + lateMs;
      next += 1;
      if (nowMs <= startMs + loop.sendingMs) tally.sentInTime += 1;
      connection.send();
    }
  };
  const onOutcome = (connection: Connection, outcome: Outcome) => {
    answered += 1;
    count(tally, connection, outcome, startMs + loop.sendingMs);
    if (isOver(connection, outcome)) over.resolve('over');
    connection.freeMs = outcome.endedMs;
    free.push(connection);
    sendDue();
  };
  const ticker = await processTicker();
  const connections = await openConnections(loop, onOutcome);
  free.push(...connections);
  startMs = performance.now();
  ticker.start(gapMs, () => {
    const due = Math.min(total, Math.floor((performance.now() - startMs) / gapMs));
    if (due - next > waitingMax) {
      tally.fault('not sent', due - next - waitingMax);
      answered += due - next - waitingMax;
      next = due - waitingMax;
    }
    sendDue();
  });
  const endMs = startMs + loop.sendingMs;
  const ended = await Promise.race([over.promise, delay(endMs - performance.now(), 'in time')]);
  const sentMs = ended === 'over' ? performance.now() - startMs : loop.sendingMs;
  if (ended === 'over') total = next;
  await drained(() => total - answered);
  ticker.pause();
  if (answered < total) tally.fault('no answer', total - answered);
  for (const connection of connections) connection.close();
  return tally.result(sentMs);
}

/** Returns a function that counts an outcome, and returns true when that is more than the limits allow. */
function overBy(limits: OpenLoopLimits | undefined) {
  let faults = 0;
  let slow = 0;
  return ({ dueMs }: Connection, { fault, endedMs }: Outcome): boolean => {
    if (limits === undefined) return false;
    if (fault !== undefined) faults += 1;
    else if (endedMs - dueMs >= limits.slowFromMs) slow += 1;
    return faults > limits.faultsMax || slow > limits.slowMax;
  };
}
