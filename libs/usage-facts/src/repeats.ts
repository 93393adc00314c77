import type { UsageFact, UsageRepeat } from './usage-fact.ts';
import { usageFields } from './usage-fields.ts';
import { isId, isInstant, isText } from './usage-problem.ts';

const none: readonly never[] = [];

/** The fields of a repeated answer that are its own. It shares all others with the fact that it is told with. */
export const repeatFields = [
  'usageId',
  'generationId',
  'requestId',
  'responseCacheSourceId',
  'admittedAt',
  'completedAt',
  'sequence',
  'externalUser',
  'sessionId',
  'trace',
  'traceparent',
] as const satisfies readonly (keyof UsageFact)[];

const ownFields: ReadonlySet<string> = new Set(repeatFields);
const sharedFields = (Object.keys(usageFields) as (keyof UsageFact)[]).filter(
  (name) => !ownFields.has(name),
);

/** Returns true for facts of `withRepeats` that were told together: they share all that is not their own. */
export function areToldTogether(a: UsageFact, b: UsageFact): boolean {
  return sharedFields.every((name) => a[name] === b[name]);
}

/** Returns the number of facts that a fact stands for. */
export function countOf({ repeats }: Pick<UsageFact, 'repeats'>): number {
  return 1 + repeats.length;
}

/** Returns each of the facts that a fact stands for. They share the values that are equal. */
export function withRepeats(fact: UsageFact): readonly UsageFact[] {
  const { repeats, sequence } = fact;
  if (repeats.length === 0) return [fact];
  const alone = { ...fact, repeats: none };
  return [
    alone,
    ...repeats.map((repeat, index) => ({
      ...alone,
      usageId: usageIdOf(repeat.generationId),
      generationId: repeat.generationId,
      requestId: repeat.requestId,
      responseCacheSourceId: repeat.sourceId,
      admittedAt: repeat.startedAt,
      completedAt: repeat.endedAt,
      sequence: sequence + BigInt(index + 1),
      externalUser: repeat.externalUser,
      sessionId: repeat.sessionId,
      trace: repeat.trace,
      traceparent: repeat.traceparent,
    })),
  ];
}

/** A repeated answer is the first attempt of the first turn of its generation. */
function usageIdOf(generationId: string): string {
  return `${generationId}/1/1`;
}

/** Returns why the repeats of a fact cannot be true. Undefined: they can be, or there are none. */
export function repeatsProblem(fact: UsageFact): string | undefined {
  const { repeats, responseCacheSourceId, costNanoUsd, leaseNumbers, estimateReason } = fact;
  if (repeats.length === 0) return undefined;
  const isFree = costNanoUsd === 0n && leaseNumbers.length === 0 && estimateReason === '';
  if (responseCacheSourceId === '' || !isFree)
    return 'repeats of a fact that is no repeated answer';
  return repeats.every(isRepeat) ? undefined : 'a repeat is malformed';
}

function isRepeat({ generationId, requestId, sourceId, startedAt, endedAt }: UsageRepeat): boolean {
  return (
    isId(generationId) &&
    isId(usageIdOf(generationId)) &&
    isId(sourceId) &&
    isText(requestId) &&
    isInstant(startedAt) &&
    isInstant(endedAt)
  );
}
