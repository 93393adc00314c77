const tickMs = 20;

/** Tells for how long this process was kept from running since: so much later than stated a bound may be kept. */
export interface Stalls {
  stalledMs(): number;
  stop(): void;
}

/** Starts to measure. A tick that comes late is time that the machine had for others. */
export function watchStalls(): Stalls {
  let stalledMs = 0;
  let beforeMs = performance.now();
  const look = (): void => {
    const nowMs = performance.now();
    stalledMs += Math.max(0, nowMs - beforeMs - 2 * tickMs);
    beforeMs = nowMs;
  };
  const timer = setInterval(look, tickMs);
  return {
    stalledMs() {
      look();
      return stalledMs;
    },
    stop: () => clearInterval(timer),
  };
}
