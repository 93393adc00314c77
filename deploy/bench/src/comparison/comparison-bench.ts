import type { Expectation } from '../harness/load/expectation.ts';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { settledUsage, usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject } from '../subjects/subject.ts';
import { type Cell, nameOf, type Plan, type PlannedCell } from './plan.ts';
import { type Measured, type Sample, sampleOf } from './sample.ts';
import { pinSubjects, type Surroundings } from './surroundings.ts';

export interface ComparisonOptions {
  readonly plan: Plan;
  readonly surroundings: Surroundings;
  readonly onProgress: (line: string) => void;
}

/** An open loop at half of what can be served shows how long it takes, not how long it queues. */
const openShare = 0.5;
const openRequestsPerSecondMin = 5;
const warmUpConnections = 32;
const settleFirstMs = 1_000;

/** Every subject in every cell, one after the other, round by round. */
export async function compare(options: ComparisonOptions): Promise<readonly Sample[]> {
  const { plan, surroundings, onProgress } = options;
  await warmUp(options);
  await pinSubjects(surroundings);
  const samples: Sample[] = [];
  const startedMs = performance.now();
  let longestRoundMs = 0;
  for (let round = 1; round <= plan.rounds; round += 1) {
    const roundMs = performance.now();
    if (roundMs - startedMs + longestRoundMs > plan.budgetMs) {
      onProgress(`there is no time for round ${round}`);
      break;
    }
    for (const [index, cell] of plan.cells.entries()) {
      onProgress(
        `round ${round} of ${plan.rounds}, ${index + 1}/${plan.cells.length}: ${nameOf(cell)}`,
      );
      samples.push(...(await measureCell(surroundings, cell, round)));
    }
    longestRoundMs = Math.max(longestRoundMs, performance.now() - roundMs);
  }
  return samples;
}

/** Compiled code, full pools, caches that know the key: what a server has that has run for a while. */
async function warmUp({ plan, surroundings, onProgress }: ComparisonOptions): Promise<void> {
  const { load, upstream, subjects } = surroundings;
  await upstream.behave(plainBehaviour);
  for (const subject of subjects) {
    onProgress(`${subject.name} warms up`);
    for (const isStreaming of [false, true]) {
      const shape = { bodyBytes: 1_024, isStreaming };
      const expectation = await probe(subject, shape, plainBehaviour.deltas);
      await load.closedLoop({
        port: subject.port,
        request: requestOf(subject, shape),
        expectation,
        connections: warmUpConnections,
        sendingMs: plan.warmUpMs,
      });
    }
    await settledUsage(await subject.pids());
  }
  await new Promise((resolve) => setTimeout(resolve, settleFirstMs));
}

interface Prepared {
  readonly subject: Subject;
  readonly request: Buffer;
  readonly expectation: Expectation;
}

type Closed = Omit<Measured, 'open' | 'openRequestsPerSecond'>;

async function measureCell(
  { load, upstream, subjects }: Surroundings,
  cell: PlannedCell,
  round: number,
): Promise<readonly Sample[]> {
  await upstream.behave({ ...plainBehaviour, delayMs: cell.upstreamDelayMs });
  const prepared: Prepared[] = [];
  for (const subject of inTurn(subjects, round)) {
    const expectation = await probe(subject, cell, plainBehaviour.deltas);
    prepared.push({ subject, request: requestOf(subject, cell), expectation });
  }
  const targetOf = ({ subject, request, expectation }: Prepared) => ({
    port: subject.port,
    request,
    expectation,
    connections: cell.concurrency,
  });
  const closed = new Map<Subject, Closed>();
  for (const one of prepared) {
    const { subject } = one;
    const pids = await subject.pids();
    const before = await usageOf(pids);
    const result = await load.closedLoop({ ...targetOf(one), sendingMs: cell.closedMs });
    const after = await usageOf(pids);
    const residentBytes = await residentBytesOf(pids.measured);
    const othersResidentBytes = await residentBytesOf(pids.others);
    const settled = await settledUsage(pids);
    const { name } = subject;
    const memory = { residentBytes, othersResidentBytes };
    closed.set(subject, { name, cell, round, closed: result, before, after, settled, ...memory });
  }
  const rates = openRatesOf(cell, [...closed.values()]);
  const samples: Sample[] = [];
  for (const one of prepared) {
    const found = closed.get(one.subject);
    if (!found) continue;
    const openRequestsPerSecond = rates(found);
    const rate = { requestsPerSecond: openRequestsPerSecond, sendingMs: cell.openMs };
    const open = await load.openLoop({ ...targetOf(one), ...rate });
    await settledUsage(await one.subject.pids());
    samples.push(sampleOf({ ...found, open, openRequestsPerSecond }));
  }
  return samples;
}

/** Each round begins with another one: nobody is always behind the same. */
function inTurn(subjects: readonly Subject[], round: number): readonly Subject[] {
  const first = (round - 1) % subjects.length;
  return [...subjects.slice(first), ...subjects.slice(0, first)];
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
