/** The longest wait that Sluice passes to the client, in seconds. */
const retryAfterSecondsMax = 86_400;

/**
 * Returns the whole seconds of `Retry-After`, given in seconds or as a date relative to the reply's `Date`. Returns
 * undefined if the header is absent or invalid.
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
