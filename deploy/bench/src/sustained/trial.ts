import type { LoadTarget } from '../harness/load/closed-loop.ts';
import type { LoadResult } from '../harness/load/tally.ts';
import { settledUsage } from '../harness/machine/usage.ts';
import type { Surroundings } from '../comparison/surroundings.ts';
import type { Subject } from '../subjects/subject.ts';
import type { Trial } from './holds.ts';
import { startLooking } from './looks.ts';

export interface TrialOptions {
  readonly surroundings: Surroundings;
  readonly subject: Subject;
  readonly target: LoadTarget;
  /** The same request without anything in between. */
  readonly direct: LoadTarget;
}

const directMs = 4_000;

/** Offers a rate for so long, and looks at the subject meanwhile. */
export async function tryRate(
  { surroundings, subject, target, direct }: TrialOptions,
  requestsPerSecond: number,
  seconds: number,
): Promise<Trial & { readonly p50Ms: number; readonly p99Ms: number; readonly unseen: number }> {
  const { load } = surroundings;
  await settledUsage(await subject.pids());
  const without = await load.openLoop({ ...direct, requestsPerSecond, sendingMs: directMs });
  const stopLooking = startLooking(subject);
  let served: LoadResult;
  let seen: Awaited<ReturnType<typeof stopLooking>>;
  try {
    served = await load.openLoop({ ...target, requestsPerSecond, sendingMs: seconds * 1_000 });
  } finally {
    seen = await stopLooking();
  }
  return {
    requestsPerSecond,
    seconds,
    answered: served.answered,
    errors: Object.values(served.faults).reduce((sum, count) => sum + count, 0),
    added_p99Ms: served.latencies.p99Ms - without.latencies.p99Ms,
    p50Ms: served.latencies.p50Ms,
    p99Ms: served.latencies.p99Ms,
    ...seen,
  };
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
