import { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { UsageFact } from './usage-fact.ts';

/** Returns the object of a fact's JSON. What is at its default is left out. */
export function writeFact(fact: UsageFact): object {
  // Only read: the generated types say `mutable` and `Buffer` where any list and any bytes do.
  return UsageRecorded.toJSON(fact as UsageRecorded) as object;
}

/** Throws when a number is no whole number. */
export function readFact(json: unknown): UsageFact {
  return UsageRecorded.fromJSON(json);
}
