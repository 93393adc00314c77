import { type BusMessage, usageBundleFactsMax } from '@sluice/bus';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import {
  bundleReader,
  looseFlag,
  type Place,
  type ReadBundle,
  type UsageFact,
} from '@sluice/usage-facts';
import { type CreditEntry, creditProblem } from '../domain/credit/credit-entry.ts';
import {
  boundedLimits,
  type ScopeLimits,
  scopeLimitsProblem,
} from '../domain/limit/scope-limits.ts';
import { Bundle, FactOfBundle } from './fact-of-bundle.ts';

/** The part of a message that a dead letter keeps. */
export type Raw = Pick<BusMessage, 'subject' | 'id' | 'bytes'>;

/** One fact of a message, or why it holds none that may be counted. */
export type Decoded<Fact> = (
  | { readonly message: Raw; readonly fact: Fact }
  | { readonly message: Raw; readonly problem: string }
) & {
  /** Known of unusable facts too, when it can be read: the writer's watermark must pass them. */
  readonly place?: Place | undefined;
};

/** Reads a message of usage as this service alone does. */
export const readUsageBundle: ReadBundle = bundleReader(usageBundleFactsMax);

/** Each fact of a bundle; of a message that is none, the one problem. */
export function decodeUsage(
  message: BusMessage,
  read: ReadBundle = readUsageBundle,
): readonly Decoded<UsageFact>[] {
  const found = read(message);
  if ('problem' in found) return [{ message, problem: found.problem }];
  const bundle = new Bundle(message, found.length);
  const texts = Array.from({ length: found.length }, (_, index) => new FactOfBundle(bundle, index));
  return found.facts.map(({ index, ...one }) => ({ message: texts[index] ?? message, ...one }));
}

export function decodeCredit(message: BusMessage): Decoded<CreditEntry> {
  const { data } = message;
  if (!isRecord(data)) return { message, problem: 'no JSON object' };
  try {
    const fact: CreditEntry = CreditRecorded.fromJSON(data);
    const problem = creditProblem(fact);
    return problem === undefined ? { message, fact } : { message, problem };
  } catch {
    return { message, problem: 'a number is no whole number' };
  }
}

export function decodeLimits(message: BusMessage): Decoded<ScopeLimits> {
  const { data } = message;
  if (!isRecord(data)) return { message, problem: 'no JSON object' };
  try {
    const fact: ScopeLimits = LimitsSet.fromJSON(data);
    const problem = looseFlag(data, limitFlags) ?? scopeLimitsProblem(fact);
    return problem === undefined ? { message, fact: boundedLimits(fact) } : { message, problem };
  } catch {
    return { message, problem: 'a number is no whole number' };
  }
}

/** Readers of JSON take both names of a field. */
const limitFlags = ['includeByok', 'include_byok'];

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
