import type { LoadTarget } from '../harness/load/closed-loop.ts';
import type { LoadResult } from '../harness/load/tally.ts';
import { settledUsage } from '../harness/machine/usage.ts';
import type { Surroundings } from '../comparison/surroundings.ts';
import type { Subject } from '../subjects/subject.ts';
import { bounds, brokenBy, type Trial } from './holds.ts';
import { startLooking, untilCounted } from './looks.ts';
import type { OfferedRate, Tried } from './search.ts';
import type { Timetable } from './timetable.ts';

export interface TrialOptions {
  readonly surroundings: Surroundings;
  readonly subject: Subject;
  readonly target: LoadTarget;
  /** The same request without anything in between. */
  readonly direct: LoadTarget;
  readonly timetable: Timetable;
}

export interface FullTrial extends Trial, Tried {
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly unseen: number;
}

const rest = { share: 0.15, lookMs: 120 } as const;
/** The ledger reports the lag of its last batch: until then it may be one of the trial before. */
const staleMs = 2_000;

/** Offers a rate for so long, and looks at the subject meanwhile. */
export async function tryRate(
  { surroundings: { load }, subject, target, direct, timetable }: TrialOptions,
  { rps, seconds, endsWhenLost }: OfferedRate,
): Promise<FullTrial> {
  const rate = { requestsPerSecond: rps };
  const { settleMsMax } = timetable;
  const sinceMs = performance.now();
  await settledUsage(await subject.pids(), { ...rest, waitMsMax: settleMsMax });
  await untilCounted(subject, (settleMsMax - (performance.now() - sinceMs)) / 1_000);
  const without = await load.openLoop({ ...direct, ...rate, sendingMs: timetable.directMs });
  const limits = {
    faultsMax: bounds.errors,
    slowFromMs: without.latencies.p99Ms + bounds.added_p99_ms,
    slowMax: rps * seconds * 0.01,
  };
  const stopLooking = startLooking(subject);
  const startedMs = performance.now();
  let served: LoadResult;
  let seen: Awaited<ReturnType<typeof stopLooking>>;
  try {
    const loop = { ...target, ...rate, sendingMs: seconds * 1_000 };
    served = await load.openLoop(endsWhenLost ? { ...loop, limits } : loop);
  } finally {
    seen = await stopLooking();
  }
  const trial = {
    rps,
    seconds: served.sendingMs / 1_000,
    answered: served.answered,
    errors: Object.values(served.faults).reduce((sum, count) => sum + count, 0),
    added_p99_ms: served.latencies.p99Ms - without.latencies.p99Ms,
    p50_ms: served.latencies.p50Ms,
    p99_ms: served.latencies.p99Ms,
    unseen: seen.unseen,
    looks: seen.looks.filter(({ atMs }) => atMs >= startedMs + staleMs),
  };
  return { ...trial, broken: brokenBy(trial) };
}

/** Returns what is served in a closed loop, requests a second. */
export async function peakOf(
  { load }: Surroundings,
  target: LoadTarget,
  sendingMs: number,
): Promise<number> {
  const { answeredInTime } = await load.closedLoop({ ...target, sendingMs });
  return (answeredInTime * 1_000) / sendingMs;
}
