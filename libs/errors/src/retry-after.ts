import { catalog } from './catalog.ts';
import type { Fault } from './fault.ts';

/** A dependency that is away, slow, or contended recovers in about a second or two. */
const retrySoonSeconds = 1;
const serviceUnavailable = 503;

/** The `Retry-After` of an error: what the fault says, or a second where waiting helps. Each 503 has one. */
export function retryAfterSecondsOf({
  code,
  retryAfterSeconds,
}: Pick<Fault, 'code' | 'retryAfterSeconds'>): number | undefined {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds;
  const passes =
    code === 'revision_conflict' || code === 'timeout' || catalog[code].http === serviceUnavailable;
  return passes ? retrySoonSeconds : undefined;
}
