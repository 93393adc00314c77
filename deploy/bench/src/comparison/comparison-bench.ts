import { setTimeout as delay } from 'node:timers/promises';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { usageOf } from '../harness/machine/usage.ts';
import type { Subject, SubjectName } from '../subjects/subject.ts';
import { measureCell } from './measure-cell.ts';
import { nameOf, type Plan, type PlannedCell } from './plan.ts';
import { rounded } from './rows.ts';
import type { Sample } from './sample.ts';
import { pinSubjects, type Surroundings } from './surroundings.ts';
import { warmUp } from './warm-up.ts';

export interface ComparisonOptions {
  readonly plan: Plan;
  readonly surroundings: Surroundings;
  /** When everything began, in ms of `performance.now()`. */
  readonly startedMs: number;
  readonly onProgress: (line: string) => void;
}

const restMs = 1_500;

export interface Comparison {
  readonly samples: readonly Sample[];
  readonly atRest: readonly Rest[];
}

/** The resources that an idle subject uses. Its rows include them. */
export interface Rest {
  readonly name: SubjectName;
  /** Resident memory after the start, before the first request. */
  readonly rss_mb: number;
  readonly busy_share: number;
  readonly others_busy_share: number;
}

/** Every subject in every cell, one after the other, round by round. */
export async function compare(options: ComparisonOptions): Promise<Comparison> {
  const { plan, surroundings, onProgress } = options;
  const unasked = await residentOf(surroundings.subjects);
  await warmUp(surroundings, plan.warmUpMsMax, onProgress);
  await pinSubjects(surroundings);
  const atRest = await restOf(surroundings.subjects, unasked);
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

async function residentOf(subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, number>> {
  const resident = new Map<Subject, number>();
  for (const subject of subjects) {
    const { measured } = await subject.pids();
    resident.set(subject, (await residentBytesOf(measured)) / 1_000_000);
  }
  return resident;
}

async function restOf(
  subjects: readonly Subject[],
  unasked: ReadonlyMap<Subject, number>,
): Promise<readonly Rest[]> {
  const resting = subjects.map(async (subject) => {
    const pids = await subject.pids();
    const before = await usageOf(pids);
    await delay(restMs);
    const after = await usageOf(pids);
    const share = (usedMs: number) => rounded(usedMs / (after.atMs - before.atMs));
    return {
      name: subject.name,
      rss_mb: rounded(unasked.get(subject) ?? 0),
      busy_share: share(after.cpuMs - before.cpuMs),
      others_busy_share: share(after.othersCpuMs - before.othersCpuMs),
    };
  });
  return await Promise.all(resting);
}
