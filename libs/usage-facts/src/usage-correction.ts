import { UsageCorrected } from '@sluice/protos/sluice/usage/v1/usage_events';
import { readFact, writeFact } from './fact-json.ts';
import type { UsageFact } from './usage-fact.ts';

/** A fact with the values that replaced an estimate, and the values before. The proto file says what each means. */
export type UsageCorrection = Readonly<Omit<UsageCorrected, 'fact'>> & { readonly fact: UsageFact };

/** Returns the object of a correction's JSON. What is at its default is left out. */
export function writeCorrection({ fact, ...correction }: UsageCorrection): object {
  const values = UsageCorrected.toJSON({ ...correction, fact: undefined }) as object;
  return { ...values, fact: writeFact(fact) };
}

/** Throws when a number is no whole number. */
export function readCorrection(json: unknown): UsageCorrection {
  const { fact, ...correction } = UsageCorrected.fromJSON(json);
  return { ...correction, fact: fact ?? readFact({}) };
}
