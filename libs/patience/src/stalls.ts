const tickMs = 20;

/** Measures for how long this process was kept from running. A time limit may be exceeded by that much. */
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
