import type { Expectation } from '../harness/load/expectation.ts';
import type { LoadTarget } from '../harness/load/closed-loop.ts';
import { garbageOf, threadsOf } from '../harness/garbage/garbage.ts';
import { cpuMsOf, residentBytesOf } from '../harness/machine/process-figures.ts';
import { settledUsage, usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';
import type { Cell, PlannedCell } from './plan.ts';
import { type Measured, type Sample, sampleOf } from './sample.ts';
import type { Surroundings } from './surroundings.ts';

/** An open loop at half of what can be served shows how long it takes, not how long it queues. */
const openShare = 0.5;
const openRequestsPerSecondMin = 5;

interface Prepared {
  readonly subject: Subject;
  readonly target: LoadTarget;
}

type Closed = Omit<Measured, 'open' | 'openRequestsPerSecond'>;

/** Everyone in one cell, once: first what each can serve, then how long it takes. */
export async function measureCell(
  surroundings: Surroundings,
  cell: PlannedCell,
  round: number,
): Promise<readonly Sample[]> {
  const { load, upstream } = surroundings;
  await upstream.behave({
    ...plainBehaviour,
    delayMs: cell.upstreamDelayMs,
    deltas: cell.deltas,
  });
  const samples: Sample[] = [];
  const closed: (readonly [Prepared, Closed])[] = [];
  for (const subject of inTurn(surroundings.subjects, round)) {
    if (cell.isStreaming && subject.door.makesVectors) continue;
    const prepared = await prepare(subject, cell);
    if (typeof prepared === 'string') {
      const faults = { [prepared]: 1 };
      samples.push({
        name: subject.name,
        cell,
        round,
        latenciesCounted: 0,
        isAtRest: true,
        faults,
      });
    } else closed.push([prepared, await measureClosed(surroundings, prepared, cell, round)]);
  }
  const rates = openRatesOf(
    cell,
    closed.map(([, measured]) => measured),
  );
  for (const [{ subject, target }, measured] of closed) {
    const openRequestsPerSecond = rates(measured);
    const rate = { requestsPerSecond: openRequestsPerSecond, sendingMs: cell.openMs };
    const open = await load.openLoop({ ...target, ...rate });
    await settledUsage(await subject.pids());
    samples.push(sampleOf({ ...measured, open, openRequestsPerSecond }));
  }
  return samples;
}

/** Rotates the order in each round, so that no subject always follows the same one. */
function inTurn(subjects: readonly Subject[], round: number): readonly Subject[] {
  const first = (round - 1) % subjects.length;
  return [...subjects.slice(first), ...subjects.slice(0, first)];
}

/** Probes and warms up the subject. Returns the fault when its answers are wrong: the cell is not measured then. */
async function prepare(subject: Subject, cell: Cell): Promise<Prepared | string> {
  let expectation: Expectation;
  try {
    expectation = await probe(subject, cell, cell.deltas);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const request = requestOf(subject, cell);
  const target = { port: subject.port, request, expectation, connections: cell.concurrency };
  return { subject, target };
}

async function measureClosed(
  { load, upstream, garbageFolder }: Surroundings,
  { subject, target }: Prepared,
  cell: PlannedCell,
  round: number,
): Promise<Closed> {
  const pids = await subject.pids();
  const harness = [load.pid, upstream.pid].filter((pid) => !pids.measured.includes(pid));
  const harnessBeforeMs = await cpuMsOf(harness);
  const threadsBefore = await threadsOf(pids.measured);
  const garbageBefore = await garbageOf(garbageFolder, pids.measured);
  const before = await usageOf(pids);
  const closed = await load.closedLoop({ ...target, sendingMs: cell.closedMs });
  const after = await usageOf(pids);
  const harnessCpuMs = (await cpuMsOf(harness)) - harnessBeforeMs;
  const residentBytes = await residentBytesOf(pids.measured);
  const othersResidentBytes = await residentBytesOf(pids.others);
  const { usage: settled, isAtRest } = await settledUsage(pids);
  const garbage = await garbageOf(garbageFolder, pids.measured);
  const threads = await threadsOf(pids.measured);
  const { name } = subject;
  const freedBytes = garbage.freedBytes - garbageBefore.freedBytes;
  const helpersMs = threads.helpersMs - threadsBefore.helpersMs;
  const usage = { before, harnessCpuMs, after, settled, isAtRest };
  const resident = { residentBytes, othersResidentBytes };
  return { name, cell, round, closed, ...usage, freedBytes, helpersMs, ...resident };
}

/**
 * Half of what each can serve. Of requests that are alone: the same rate for all, half of the slowest's, so
 * that one can be subtracted from the other.
 */
function openRatesOf(cell: Cell, all: readonly Closed[]): (of: Closed) => number {
  const halfOf = ({ closed }: Closed) =>
    Math.max(
      openRequestsPerSecondMin,
      (openShare * closed.answeredInTime * 1_000) / closed.sendingMs,
    );
  const slowest = Math.min(...all.map(halfOf));
  return (of) => (cell.concurrency === 1 ? slowest : halfOf(of));
}
