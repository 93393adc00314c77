import { setTimeout as delay } from 'node:timers/promises';
import type { Expectation } from '../harness/load/expectation.ts';
import { cpuMsOf, residentBytesOf } from '../harness/machine/process-figures.ts';
import { settledUsage, usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject, SubjectName } from '../subjects/subject.ts';
import { type Cell, nameOf, type Plan, type PlannedCell } from './plan.ts';
import { type Measured, type Sample, sampleOf } from './sample.ts';
import { rounded } from './rows.ts';
import { pinSubjects, type Surroundings } from './surroundings.ts';

export interface ComparisonOptions {
  readonly plan: Plan;
  readonly surroundings: Surroundings;
  /** When everything began, in ms of `performance.now()`. */
  readonly startedMs: number;
  readonly onProgress: (line: string) => void;
}

/** An open loop at half of what can be served shows how long it takes, not how long it queues. */
const openShare = 0.5;
const openRequestsPerSecondMin = 5;
const warmUpConnections = 32;
const restMs = 1_500;

export interface Comparison {
  readonly samples: readonly Sample[];
  readonly atRest: readonly Rest[];
}

/** What a subject uses when nobody asks it anything; part of what its rows count. */
export interface Rest {
  readonly name: SubjectName;
  readonly busy_share: number;
  readonly others_busy_share: number;
}

/** Every subject in every cell, one after the other, round by round. */
export async function compare(options: ComparisonOptions): Promise<Comparison> {
  await warmUp(options);
  await pinSubjects(options.surroundings);
  const atRest = await restOf(options.surroundings.subjects);
  return { atRest, samples: await measureRounds(options) };
}

async function measureRounds(options: ComparisonOptions): Promise<readonly Sample[]> {
  const { plan, surroundings, onProgress } = options;
  const samples: Sample[] = [];
  const tookMs = new Map<PlannedCell, number>();
  for (let round = 1; round <= plan.rounds; round += 1)
    for (const [index, cell] of plan.cells.entries()) {
      const cellMs = performance.now();
      if (cellMs + (tookMs.get(cell) ?? 0) > options.startedMs + plan.budgetMs && round > 1) {
        onProgress(`there is no time for more: round ${round} ends here`);
        return samples;
      }
      const place = `round ${round} of ${plan.rounds}, ${index + 1}/${plan.cells.length}`;
      onProgress(`${place}: ${nameOf(cell)}`);
      samples.push(...(await measureCell(surroundings, cell, round)));
      tookMs.set(cell, performance.now() - cellMs);
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
}

async function restOf(subjects: readonly Subject[]): Promise<readonly Rest[]> {
  const resting = subjects.map(async (subject) => {
    const pids = await subject.pids();
    const before = await usageOf(pids);
    await delay(restMs);
    const after = await usageOf(pids);
    const share = (usedMs: number) => rounded(usedMs / (after.atMs - before.atMs));
    return {
      name: subject.name,
      busy_share: share(after.cpuMs - before.cpuMs),
      others_busy_share: share(after.othersCpuMs - before.othersCpuMs),
    };
  });
  return await Promise.all(resting);
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
    const harness = [load.pid, upstream.pid];
    const harnessBeforeMs = await cpuMsOf(harness);
    const before = await usageOf(pids);
    const result = await load.closedLoop({ ...targetOf(one), sendingMs: cell.closedMs });
    const after = await usageOf(pids);
    const harnessCpuMs = (await cpuMsOf(harness)) - harnessBeforeMs;
    const residentBytes = await residentBytesOf(pids.measured);
    const othersResidentBytes = await residentBytesOf(pids.others);
    const settled = await settledUsage(pids);
    const { name } = subject;
    const memory = { residentBytes, othersResidentBytes };
    const usage = { before, harnessCpuMs, after, settled };
    closed.set(subject, { name, cell, round, closed: result, ...usage, ...memory });
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
