import { amountNanoUsdMax } from '@sluice/amounts';
import type { UsageFact } from './usage-fact.ts';
import { byokProblem, leaseNumbersOf } from './byok-terms.ts';
import { discountProblem } from './data-discount.ts';
import { estimateProblem } from './estimate-terms.ts';

/** The place of a fact in the log of its writer. Sequences start at 1, without gaps. */
export type Place = Pick<UsageFact, 'replica' | 'epoch' | 'sequence'>;

/** Above it a count is absurd. */
const countMax = 9_007_199_254_740_992n;
const epochMax = 2n ** 63n - 1n;
const textLengthMax = 512;
/** A request matches fewer budgets than that. */
const leasesMax = 32;
const guardrailsMax = 16;

const idPattern = /^[\x21-\x7e]{1,256}$/;
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;
const guardrailScopePattern = /^[A-Za-z0-9_-]{1,64}:(?:key|member|workspace):[A-Za-z0-9_-]{1,128}$/;
const codePattern = /^[a-z_]{1,64}$/;
const instantPattern =
  /^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;
/** No month is shorter. */
const monthDaysMin = '28';

type Rule = readonly [isMet: (fact: UsageFact) => boolean, problem: string];

const rules: readonly Rule[] = [
  [({ usageId }) => isId(usageId), 'usage_id is missing or malformed'],
  [({ generationId }) => isId(generationId), 'generation_id is missing or malformed'],
  [({ accountId }) => tokenPattern.test(accountId), 'account_id is missing or malformed'],
  [({ workspaceId }) => tokenPattern.test(workspaceId), 'workspace_id is missing or malformed'],
  [({ keyHash }) => tokenPattern.test(keyHash), 'key_hash is missing or malformed'],
  [isPlace, 'replica, epoch or sequence is missing or malformed'],
  [areTexts, 'a text is too long or holds a zero byte'],
  [({ outcome }) => codePattern.test(outcome), 'outcome is missing or malformed'],
  [({ admittedAt }) => isInstant(admittedAt), 'admitted_at is no instant'],
  [({ completedAt }) => isInstant(completedAt), 'completed_at is no instant'],
  [areAmounts, 'a count or the cost is negative or absurd'],
  [
    ({ costNanoUsd, upstreamCostNanoUsd }) => costNanoUsd <= (upstreamCostNanoUsd ?? costNanoUsd),
    'it costs more than the provider charges',
  ],
  [hasLeases, 'lease_epoch or lease_numbers are malformed'],
  [hasGuardrails, 'guardrail_scopes are malformed'],
  [({ cachedTokens, inputTokens: all }) => cachedTokens <= all, 'more cached than input tokens'],
  [
    ({ reasoningTokens, outputTokens: all }) => reasoningTokens <= all,
    'more reasoning than output tokens',
  ],
];

/** Returns true for a text that can be the id of a fact or of a generation. */
export function isId(text: string): boolean {
  return idPattern.test(text);
}

/** Returns true for a text that a column of the ledger can keep. */
export function isText(value: string): boolean {
  return value.length <= textLengthMax && !value.includes('\0');
}

/** Why a fact must not be counted; undefined when it may. */
export function usageProblem(fact: UsageFact): string | undefined {
  const broken = rules.find(([isMet]) => !isMet(fact))?.[1];
  return broken ?? estimateProblem(fact) ?? byokProblem(fact) ?? discountProblem(fact);
}

/** Returns what the provider charges for an answer, to the customer or to the operator. */
export function upstreamCostOf({
  upstreamCostNanoUsd,
  costNanoUsd,
}: Pick<UsageFact, 'upstreamCostNanoUsd' | 'costNanoUsd'>): bigint {
  return upstreamCostNanoUsd ?? costNanoUsd;
}

/** The operator pays for it: the customer was not served. */
export function isOperatorsOwn({
  outcome,
  upstreamCostNanoUsd,
}: Pick<UsageFact, 'outcome' | 'upstreamCostNanoUsd'>): boolean {
  return outcome === 'failed' && upstreamCostNanoUsd !== undefined;
}

/** The place when it is one: also of a fact that is otherwise unusable. */
export function placeOf(place: Place): Place | undefined {
  const { replica, epoch, sequence } = place;
  return isPlace(place) ? { replica, epoch, sequence } : undefined;
}

function isPlace({ replica, epoch, sequence }: Place): boolean {
  return (
    tokenPattern.test(replica) &&
    epoch >= 0n &&
    epoch <= epochMax &&
    sequence >= 1n &&
    sequence <= countMax
  );
}

/** ISO 8601 in UTC that names a real day. */
export function isInstant(value: string): boolean {
  if (!instantPattern.test(value)) return false;
  if (value.slice(8, 10) <= monthDaysMin) return true;
  // A 30 February would silently be another day.
  return new Date(value).getUTCDate() === Number(value.slice(8, 10));
}

function areTexts(fact: UsageFact): boolean {
  return (
    isText(fact.requestId) &&
    isText(fact.model) &&
    isText(fact.provider) &&
    isText(fact.upstreamId) &&
    isText(fact.finishReason)
  );
}

function areAmounts(fact: UsageFact): boolean {
  return (
    isCount(fact.inputTokens) &&
    isCount(fact.cachedTokens) &&
    isCount(fact.outputTokens) &&
    isCount(fact.reasoningTokens) &&
    isAmount(fact.costNanoUsd) &&
    isAmount(fact.upstreamCostNanoUsd ?? 0n) &&
    isAmount(absolute(fact.cacheDiscountNanoUsd ?? 0n))
  );
}

function hasLeases(fact: UsageFact): boolean {
  const { leaseEpoch, epoch } = fact;
  const leaseNumbers = [...leaseNumbersOf(fact), ...fact.freeRequestLeaseNumbers];
  return (
    leaseEpoch >= 0n &&
    leaseEpoch <= epoch &&
    leaseNumbers.length <= leasesMax &&
    isDistinct(leaseNumbers) &&
    leaseNumbers.every((number) => number >= 1n && number <= epochMax)
  );
}

function hasGuardrails({ guardrailScopes }: UsageFact): boolean {
  return (
    guardrailScopes.length <= guardrailsMax &&
    isDistinct(guardrailScopes) &&
    guardrailScopes.every((scope) => guardrailScopePattern.test(scope))
  );
}

function isDistinct(values: readonly unknown[]): boolean {
  return values.length < 2 || new Set(values).size === values.length;
}

function isCount(value: bigint): boolean {
  return value >= 0n && value <= countMax;
}

const absolute = (value: bigint) => (value < 0n ? -value : value);

function isAmount(value: bigint): boolean {
  return value >= 0n && value <= amountNanoUsdMax;
}
