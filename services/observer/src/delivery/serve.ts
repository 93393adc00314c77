import { Fault } from '@sluice/errors';
import type { Clock } from '@sluice/clock-and-ids';
import type { Egress } from '@sluice/egress';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { Metrics } from '@sluice/telemetry';
import type { ActiveDestination, Destinations } from '../clients/destinations.ts';
import type { Destination } from '../domain/destination.ts';
import { senders } from '../senders/index.ts';
import type { Sender } from '../senders/sender.ts';
import { bury, endReplay, keepDead, readReplayed, removeDelivered } from '../store/dead-letters.ts';
import {
  type Claimed,
  type LogRow,
  noteFailed,
  noteHandled,
  readLog,
  release,
} from '../store/deliveries.ts';
import type { DestinationCounts } from './destination-counts.ts';
import { type Chosen, type OpenDeps, openRows } from './open-rows.ts';
import { send, type Sent } from './send.ts';

export interface ServeDeps extends OpenDeps {
  readonly database: Database;
  readonly destinations: Destinations;
  readonly egress: Pick<Egress, 'send'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'observerLag'>;
  readonly counts: DestinationCounts;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** The wait after the first failed attempt. It doubles with each. */
  readonly retryMs: number;
}

/** Failed attempts after which a batch becomes dead letters. */
export const attemptsMax = 5;
const rowsMax = 500;
const bytesMax = 2_097_152;
const retryMsMax = 60_000;
const pauseMs = 1_000;
/** A destination with more to send waits for its next turn then. */
const turnMs = 2_000;

interface Serving {
  readonly claimed: Claimed;
  readonly active: ActiveDestination;
  readonly destination: Destination;
  readonly sender: Sender;
}

/**
 * Delivers to a destination for a while, and gives the lease back, which the caller renews until `onReleasing`. Never
 * rejects.
 */
export async function serve(
  deps: ServeDeps,
  claimed: Claimed,
  onReleasing: () => void,
): Promise<void> {
  const { database, destinations, logger } = deps;
  const { destinationId } = claimed;
  try {
    const active = destinations.find(destinationId);
    const sender = active && senders[active.type];
    // Another process may know the destination already, or not any more.
    if (!active || !sender) return await pause(deps, claimed);
    const destination = await destinations.open(active);
    await serveTurn(deps, { claimed, active, destination, sender });
  } catch (error) {
    const isChanged = error instanceof Fault && error.code === 'not_found';
    if (!isChanged) logger.warn('a destination cannot be served now', { destinationId, error });
    await pause(deps, claimed).catch(() => undefined);
  } finally {
    onReleasing();
    await release(database, destinationId).catch(() => undefined);
  }
}

/** Leaves a destination for a moment, without counting an attempt. */
async function pause({ database, clock }: ServeDeps, { destinationId }: Claimed): Promise<void> {
  const until = new Date(clock.now().getTime() + pauseMs);
  await database.query({
    text: `UPDATE deliveries SET next_attempt_at = greatest(next_attempt_at, $2::timestamptz)
      WHERE destination_id = $1`,
    values: [destinationId, until],
  });
}

async function serveTurn(deps: ServeDeps, serving: Serving): Promise<void> {
  const { database, signal } = deps;
  const { claimed } = serving;
  const endsMs = performance.now() + turnMs;
  let { position, attempts } = claimed;
  if (claimed.isReplaying && !(await serveReplay(deps, serving, attempts))) return;
  while (!signal.aborted && performance.now() < endsMs) {
    const rows = await readLog(database, { ...claimed, position }, { rowsMax, bytesMax });
    if (rows.length === 0) return;
    const chosen = await openRows(deps, serving.active, rows);
    const end = await deliverRows(deps, serving, { rows, chosen, attempts });
    if (end.isStopped) return;
    position = rows.at(-1)?.seq ?? position;
    attempts = end.attempts;
  }
}

interface Batch {
  readonly rows: readonly LogRow[];
  readonly chosen: readonly Chosen<LogRow>[];
  readonly attempts: number;
}

/** Delivers rows in their order. A refused batch is halved, down to the one generation that is refused. */
async function deliverRows(
  deps: ServeDeps,
  serving: Serving,
  { rows, chosen, attempts: before }: Batch,
): Promise<{ readonly isStopped: boolean; readonly attempts: number }> {
  const { database, clock } = deps;
  const { destinationId } = serving.claimed;
  const waiting = chunksOf(chosen, serving.sender.batchMax);
  let attempts = before;
  while (waiting.length > 0) {
    const chunk = waiting.shift() ?? [];
    const last = chunk.at(-1)?.row;
    if (!last) continue;
    // Rows behind the last chunk are not wanted.
    const position = waiting.length === 0 ? (rows.at(-1)?.seq ?? last.seq) : last.seq;
    const sent = await attempt(deps, serving, chunk);
    if (sent.outcome === 'delivered') {
      const now = clock.now();
      await noteHandled(database, destinationId, { position, delivered: chunk.length, now });
      attempts = 0;
    } else if (sent.outcome === 'refused' && chunk.length > 1) {
      const half = Math.ceil(chunk.length / 2);
      waiting.unshift(chunk.slice(0, half), chunk.slice(half));
    } else if (sent.outcome === 'refused') {
      await giveUp(deps, serving, { chunk, position, sent });
    } else {
      attempts += 1;
      await fail(deps, serving, { chunk, position, sent, attempts });
      return { isStopped: true, attempts };
    }
  }
  if (chosen.length === 0) {
    const position = rows.at(-1)?.seq ?? 0n;
    await noteHandled(database, destinationId, { position, delivered: 0, now: clock.now() });
  }
  return { isStopped: false, attempts };
}

interface Failing {
  readonly chunk: readonly Chosen<LogRow>[];
  readonly position: bigint;
  readonly sent: Sent;
  readonly attempts: number;
}

/** Notes a failed attempt. After the last one, the chunk becomes dead letters, and the next chunk has its attempts. */
async function fail(deps: ServeDeps, serving: Serving, failing: Failing): Promise<void> {
  const { database, clock, counts } = deps;
  const { sent, attempts, chunk } = failing;
  const { destinationId } = serving.claimed;
  if (attempts % attemptsMax === 0) await giveUp(deps, serving, failing);
  else counts.add(serving.active, 'retried', chunk.length);
  const now = clock.now();
  const retryAt = new Date(now.getTime() + retryMsOf(deps, sent, attempts));
  const { problem, httpStatus } = sent;
  await noteFailed(database, destinationId, { attempts, problem, httpStatus, retryAt, now });
}

function retryMsOf({ random, retryMs }: ServeDeps, sent: Sent, attempts: number): number {
  const step = (attempts - 1) % attemptsMax;
  const longest = Math.min(retryMs * 2 ** step, retryMsMax);
  const own = longest * (0.5 + random() / 2);
  return Math.max(own, sent.outcome === 'retry' ? (sent.retryAfterMs ?? 0) : 0);
}

async function giveUp(
  { database, clock, counts, logger }: ServeDeps,
  { claimed, active }: Serving,
  { chunk, position, sent }: Omit<Failing, 'attempts'>,
): Promise<void> {
  const { destinationId } = claimed;
  const { problem, httpStatus } = sent;
  const now = clock.now();
  const rows = chunk.map(({ row }) => row);
  const lost = await database.transaction(async (transaction) => {
    const tries = sent.outcome === 'refused' ? 1 : attemptsMax;
    const dropped = await bury(transaction, claimed, {
      rows,
      problem,
      httpStatus,
      attempts: tries,
      now,
    });
    await noteHandled(transaction, destinationId, { position, delivered: 0, now });
    if (sent.outcome === 'refused')
      await noteFailed(transaction, destinationId, {
        attempts: 0,
        problem,
        httpStatus,
        retryAt: now,
        now,
      });
    return dropped;
  });
  counts.add(active, 'dead', chunk.length);
  if (lost > 0) counts.addLost(destinationId, lost);
  logger.warn('generations became dead letters', { destinationId, count: chunk.length });
}

async function attempt(
  deps: ServeDeps,
  serving: Serving,
  chunk: readonly Chosen<unknown>[],
): Promise<Sent> {
  const { egress, clock, metrics, counts } = deps;
  const { active, sender, destination } = serving;
  const batch = chunk.map(({ observed }) => observed);
  // A stop waits for its end: the destination may have taken the batch already.
  const sent = await send({ sender, destination, batch, egress, now: clock.now() });
  if (sent.outcome !== 'delivered') return sent;
  counts.add(active, 'delivered', chunk.length);
  const nowMs = clock.now().getTime();
  for (const { generation } of batch)
    metrics.observerLag.record(Math.max(0, nowMs - generation.completedAtMs) / 1_000);
  return sent;
}

/**
 * Sends dead letters again, each batch once: those that are not taken stay dead. Returns false if the destination does
 * not answer, which new generations need not find out again.
 */
async function serveReplay(deps: ServeDeps, serving: Serving, attempts: number): Promise<boolean> {
  const { database, clock } = deps;
  const { claimed, active, sender } = serving;
  const { destinationId } = claimed;
  const letters = await readReplayed(database, claimed, sender.batchMax);
  const chosen = await openRows(deps, { ...active, sinceMs: 0, selects: () => undefined }, letters);
  const waiting = [chosen];
  while (waiting.length > 0) {
    const chunk = waiting.shift() ?? [];
    if (chunk.length === 0) continue;
    const sent = await attempt(deps, serving, chunk);
    const ids = chunk.map(({ row }) => row.deadLetterId);
    const now = clock.now();
    if (sent.outcome === 'delivered')
      await database.transaction((transaction) =>
        removeDelivered(transaction, destinationId, { ids, now }),
      );
    else if (sent.outcome === 'refused' && chunk.length > 1) {
      const half = Math.ceil(chunk.length / 2);
      waiting.unshift(chunk.slice(0, half), chunk.slice(half));
    } else {
      const { problem, httpStatus } = sent;
      await keepDead(database, destinationId, { ids, problem, httpStatus });
      if (sent.outcome === 'retry') {
        const retryAt = new Date(now.getTime() + retryMsOf(deps, sent, 1));
        await noteFailed(database, destinationId, {
          attempts: attempts || 1,
          problem,
          httpStatus,
          retryAt,
          now,
        });
        return false;
      }
    }
  }
  await endReplay(database, destinationId);
  return true;
}

function chunksOf<Item>(items: readonly Item[], length: number): (readonly Item[])[] {
  const chunks: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += length)
    chunks.push(items.slice(from, from + length));
  return chunks;
}
