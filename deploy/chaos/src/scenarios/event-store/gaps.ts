import { watching } from '@sluice/testing/watching';

export type Gaps = ReturnType<typeof watchGaps>;

const lookMs = 10;

/** Watches a count of acknowledged commands. Time in which the store is away is no gap. */
export function watchGaps(acknowledged: () => number) {
  let count = acknowledged();
  let sinceMs = performance.now();
  let isAway = false;
  let longestMs = 0;
  const look = () => {
    const nowMs = performance.now();
    const next = acknowledged();
    if (!isAway) longestMs = Math.max(longestMs, nowMs - sinceMs);
    if (next === count && !isAway) return;
    count = next;
    sinceMs = nowMs;
  };
  const watch = watching(lookMs, look);
  return {
    /** Begins an outage: until its end, the store cannot acknowledge anything. */
    awayBegins() {
      look();
      isAway = true;
    },
    awayEnds() {
      isAway = false;
      sinceMs = performance.now();
    },
    /** Returns the longest time between two acknowledgements in which the store answered. */
    longestMs: () => Math.round(longestMs),
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  };
}
