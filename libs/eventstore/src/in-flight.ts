import { Fault } from '@sluice/errors';

export interface InFlight {
  /** Runs the work when there is room. Faults at once when too many wait already. */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** No more than `countMax` at a time; up to `waitingMax` more wait in order. */
export function inFlight(countMax: number, waitingMax: number): InFlight {
  const waiting: (() => void)[] = [];
  let count = 0;
  return {
    async run(work) {
      if (count >= countMax) {
        if (waiting.length >= waitingMax) throw new Fault('event_store_unavailable');
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else count++;
      try {
        return await work();
      } finally {
        // Who waits takes over the place, so the count stays.
        const next = waiting.shift();
        if (next) next();
        else count--;
      }
    },
  };
}
