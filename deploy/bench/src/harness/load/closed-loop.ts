import { setTimeout as delay } from 'node:timers/promises';
import { Connection, type Outcome } from './connection.ts';
import { type Expectation, isRefusal } from './expectation.ts';
import { type LoadResult, Tally } from './tally.ts';

export interface LoadTarget {
  readonly port: number;
  readonly request: Buffer;
  readonly expectation: Expectation;
  readonly connections: number;
}

export interface ClosedLoop extends LoadTarget {
  readonly sendingMs: number;
}

const drainMs = 10_000;
const drainPollMs = 5;

/** On each connection the next request as soon as the last one is answered: what can be served at most. */
export async function runClosedLoop(loop: ClosedLoop): Promise<LoadResult> {
  const tally = new Tally();
  let underWay = 0;
  let endMs = Number.POSITIVE_INFINITY;
  const send = (connection: Connection, nowMs: number) => {
    connection.dueMs = nowMs;
    underWay += 1;
    tally.sentInTime += 1;
    connection.send();
  };
  const onOutcome = (connection: Connection, outcome: Outcome) => {
    underWay -= 1;
    count(tally, connection, outcome, endMs);
    if (outcome.endedMs < endMs) send(connection, outcome.endedMs);
  };
  const connections = await openConnections(loop, onOutcome);
  const startMs = performance.now();
  endMs = startMs + loop.sendingMs;
  for (const connection of connections) send(connection, performance.now());
  await delay(loop.sendingMs);
  await drained(() => underWay);
  if (underWay > 0) tally.fault('no answer', underWay);
  for (const connection of connections) connection.close();
  return tally.result(loop.sendingMs);
}

export async function openConnections(
  target: LoadTarget,
  onOutcome: (connection: Connection, outcome: Outcome) => void,
): Promise<readonly Connection[]> {
  const options = { ...target, onOutcome };
  const connections = Array.from({ length: target.connections }, () => new Connection(options));
  await Promise.all(connections.map((connection) => connection.open()));
  return connections;
}

export function count(
  tally: Tally,
  { dueMs }: Connection,
  { fault, endedMs, firstDeltaMs }: Outcome,
  endMs: number,
): void {
  if (fault !== undefined) {
    tally.fault(fault);
    if (isRefusal(fault)) tally.refusals.record(endedMs - dueMs);
    return;
  }
  tally.answered += 1;
  if (endedMs <= endMs) tally.answeredInTime += 1;
  tally.latencies.record(endedMs - dueMs);
  if (firstDeltaMs > 0) tally.firstDeltas.record(firstDeltaMs - dueMs);
}

/** Until nothing is under way any more, or for as long as anybody may take. */
export async function drained(underWay: () => number): Promise<void> {
  const deadlineMs = performance.now() + drainMs;
  while (underWay() > 0 && performance.now() < deadlineMs) await delay(drainPollMs);
}
