import type { Fault } from '@sluice/errors';

/** Conflicting changes and slow answers pass within about a second. */
const retrySoonSeconds = 1;

/** The `Retry-After` of an error: what the fault says, and a second for each 408 and each conflict that passes. */
export function retryAfterSecondsOf({ code, retryAfterSeconds }: Fault): number | undefined {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds;
  return code === 'revision_conflict' || code === 'timeout' ? retrySoonSeconds : undefined;
}
