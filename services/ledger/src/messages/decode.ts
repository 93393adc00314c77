import { type BusMessage, usageBundleFactsMax } from '@sluice/bus';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import {
  bundledCount,
  looseFlag,
  type Place,
  readBundled,
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

/** Each fact of a bundle; of a message that is none, the one problem. */
export function decodeUsage(message: BusMessage): readonly Decoded<UsageFact>[] {
  const { data } = message;
  if (!isRecord(data)) return [{ message, problem: 'no JSON object' }];
  const { facts } = data;
  if (!Array.isArray(facts) || facts.length === 0)
    return [{ message, problem: 'no list of facts' }];
  if (bundledCount(facts) > usageBundleFactsMax)
    return [{ message, problem: `more than ${String(usageBundleFactsMax)} facts` }];
  const bundle = new Bundle(message, facts.length);
  const texts = facts.map((_, index) => new FactOfBundle(bundle, index));
  return readBundled(facts, message.subject).map(({ index, ...read }) => ({
    message: texts[index] ?? message,
    ...read,
  }));
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
