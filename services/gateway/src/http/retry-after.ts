import type { Fault } from '@sluice/errors';

/** Conflicting changes, slow answers and elections of the event store pass within about a second or two. */
const retrySoonSeconds = 1;
const passing: ReadonlySet<Fault['code']> = new Set([
  'revision_conflict',
  'timeout',
  'event_store_unavailable',
]);

/** The `Retry-After` of an error: what the fault says, or a second where waiting helps. */
export function retryAfterSecondsOf({ code, retryAfterSeconds }: Fault): number | undefined {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds;
  return passing.has(code) ? retrySoonSeconds : undefined;
}
