import type { BusMessage } from '@sluice/bus';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { type CreditEntry, creditProblem } from '../domain/credit/credit-entry.ts';
import { type ScopeLimits, scopeLimitsProblem } from '../domain/limit/scope-limits.ts';
import { type Place, placeOf, type UsageFact, usageProblem } from '../domain/usage/usage-fact.ts';

/** What a message holds, or why it holds nothing that may be counted. */
export type Decoded<Fact> = (
  | { readonly message: BusMessage; readonly fact: Fact }
  | { readonly message: BusMessage; readonly problem: string }
) & {
  /** Known of unusable facts too, when it can be read: the writer's watermark must pass them. */
  readonly place?: Place | undefined;
};

export function decodeUsage(message: BusMessage): Decoded<UsageFact> {
  const { data } = message;
  if (!isRecord(data)) return { message, problem: 'no JSON object' };
  try {
    const fact: UsageFact = UsageRecorded.fromJSON(data);
    const problem = looseFlag(data, usageFlags) ?? usageProblem(fact);
    const place = placeOf(fact);
    if (problem === undefined) return { message, fact, place };
    return { message, problem, place };
  } catch {
    return { message, problem: 'a number is no whole number' };
  }
}

export function decodeCredit(message: BusMessage): Decoded<CreditEntry> {
  if (!isRecord(message.data)) return { message, problem: 'no JSON object' };
  try {
    const fact: CreditEntry = CreditRecorded.fromJSON(message.data);
    const problem = creditProblem(fact);
    return problem === undefined ? { message, fact } : { message, problem };
  } catch {
    return { message, problem: 'a number is no whole number' };
  }
}

export function decodeLimits(message: BusMessage): Decoded<ScopeLimits> {
  if (!isRecord(message.data)) return { message, problem: 'no JSON object' };
  try {
    const fact: ScopeLimits = LimitsSet.fromJSON(message.data);
    const problem = looseFlag(message.data, limitFlags) ?? scopeLimitsProblem(fact);
    return problem === undefined ? { message, fact } : { message, problem };
  } catch {
    return { message, problem: 'a number is no whole number' };
  }
}

const usageFlags = ['isByok', 'is_byok', 'streamed', 'estimated'];
const limitFlags = ['includeByok', 'include_byok'];

/** The generated decoder takes the text "false" for true. */
function looseFlag(
  data: Readonly<Record<string, unknown>>,
  flags: readonly string[],
): string | undefined {
  const loose = flags.find((name) => data[name] !== undefined && typeof data[name] !== 'boolean');
  return loose === undefined ? undefined : `${loose} is no boolean`;
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
