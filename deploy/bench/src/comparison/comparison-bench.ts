import { setTimeout as delay } from 'node:timers/promises';
import { settledUsage, usageOf } from '../harness/machine/usage.ts';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { probe } from '../subjects/probe.ts';
import { requestOf } from '../subjects/request.ts';
import type { Subject, SubjectName } from '../subjects/subject.ts';
import { measureCell } from './measure-cell.ts';
import { nameOf, type Plan, type PlannedCell } from './plan.ts';
import { rounded } from './rows.ts';
import type { Sample } from './sample.ts';
import { pinSubjects, type Surroundings } from './surroundings.ts';

export interface ComparisonOptions {
  readonly plan: Plan;
  readonly surroundings: Surroundings;
  /** When everything began, in ms of `performance.now()`. */
  readonly startedMs: number;
  readonly onProgress: (line: string) => void;
}

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
