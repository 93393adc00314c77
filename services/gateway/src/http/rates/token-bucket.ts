import { type Clock, steadyMsOf } from '@sluice/clock-and-ids';
import { boundedMap } from './bounded-map.ts';

export interface TokenBucketOptions {
  /** Also the burst: a bucket that was left alone for a minute is full. */
  readonly perMinute: number;
  readonly clock: Clock;
}

export type Taken = { readonly allowed: true } | Refused;

export interface Refused {
  readonly allowed: false;
  readonly limit: number;
  /** Until there is a token again; at least 1. */
  readonly retryAfterSeconds: number;
  /** Unix time at which the bucket is full again. */
  readonly resetAtMs: number;
}

export interface TokenBuckets {
  take(name: string): Taken;
  /** Returns the answer of `take`, and takes nothing. */
  peek(name: string): Taken;
}

const bucketsMax = 100_000;
const minuteMs = 60_000;
/** A minute seldom divides evenly: what rounding leaves is no reason to wait. */
const waitMsIgnored = 1;

/** One bucket per name, in memory; the longest unused are dropped first. */
export function createTokenBuckets({ perMinute, clock }: TokenBucketOptions): TokenBuckets {
  const steadyMs = steadyMsOf(clock);
  /** Name → when its bucket will be full again, in the milliseconds of durations. */
  const buckets = boundedMap<number>(bucketsMax);
  const tokenMs = minuteMs / perMinute;

  const allowed: Taken = { allowed: true };
  const look = (name: string) => {
    const nowMs = steadyMs();
    const fullAtMs = Math.max(buckets.get(name) ?? nowMs, nowMs);
    return { fullAtMs, fullInMs: fullAtMs - nowMs, waitMs: fullAtMs + tokenMs - minuteMs - nowMs };
  };
  const refused = ({ fullInMs, waitMs }: ReturnType<typeof look>): Refused => ({
    allowed: false,
    limit: perMinute,
    retryAfterSeconds: Math.ceil(waitMs / 1000),
    resetAtMs: Math.ceil(clock.now().getTime() + fullInMs),
  });
  return {
    take(name) {
      const seen = look(name);
      if (seen.waitMs >= waitMsIgnored) return refused(seen);
      buckets.set(name, seen.fullAtMs + tokenMs);
      return allowed;
    },
    peek(name) {
      const seen = look(name);
      return seen.waitMs >= waitMsIgnored ? refused(seen) : allowed;
    },
  };
}
