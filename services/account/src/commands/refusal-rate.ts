export interface RefusalRate {
  /** Returns the number of refusals that were left out before this one, or undefined if this one is left out, too. */
  take(accountId: string, nowMs: number): number | undefined;
}

interface Window {
  readonly startedMs: number;
  readonly taken: number;
  readonly leftOut: number;
}

const windowMs = 60_000;
const perWindowMax = 60;
/** Beyond, the longest quiet is forgotten: it starts anew. */
const accountsMax = 10_000;

/** Bounds the refusals in the log: a number per minute and account, then a count. */
export function refusalRate(): RefusalRate {
  const windows = new Map<string, Window>();
  return {
    take(accountId, nowMs) {
      const known = windows.get(accountId);
      const isOver = known === undefined || nowMs - known.startedMs >= windowMs;
      const fresh = { startedMs: nowMs, taken: 0, leftOut: known?.leftOut ?? 0 };
      const window = isOver ? fresh : known;
      const isFull = window.taken >= perWindowMax;
      // Set anew, so that the first is the longest quiet.
      windows.delete(accountId);
      windows.set(
        accountId,
        isFull
          ? { ...window, leftOut: window.leftOut + 1 }
          : { ...window, taken: window.taken + 1, leftOut: 0 },
      );
      const [longestQuiet] = windows.keys();
      if (windows.size > accountsMax && longestQuiet !== undefined) windows.delete(longestQuiet);
      return isFull ? undefined : window.leftOut;
    },
  };
}
