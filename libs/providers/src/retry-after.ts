/** The longest wait we pass on, in seconds. */
const retryAfterSecondsMax = 86_400;

/**
 * The whole seconds that an upstream asks to wait, from `Retry-After` (seconds, or a date, measured
 * against the reply's own `Date`). undefined when it says nothing usable.
 */
export function retryAfterSeconds(
  retryAfter: string | undefined,
  date: string | undefined,
): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d{1,9}(\.\d+)?$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.parse(date ?? '')) / 1000;
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  return Math.min(Math.ceil(seconds), retryAfterSecondsMax);
}
