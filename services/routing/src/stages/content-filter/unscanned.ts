import type { Filter } from '@sluice/content-filter';
import type { GroupVerdict, ScanFailure } from '@sluice/content-scanner';
import type { Guardrail } from '../../policy/policy.ts';
import type { StageRefusal, StageReport } from '../stage.ts';
import { type PolicyFilters, scopeOf } from './policy-filters.ts';

/** The verdict on a group of texts, or the reason why there is none. */
export type GroupOutcome = GroupVerdict | ScanFailure;

/** Returns why the texts of a group were not scanned to the end; undefined: they were. */
export function failureOf(outcome: GroupOutcome): ScanFailure | undefined {
  if (typeof outcome === 'string') return outcome;
  return outcome.isCut ? 'late' : undefined;
}

/** The pattern and the message of a refusal. */
export const refusals: Readonly<
  Record<ScanFailure, { readonly pattern: string; readonly message: string }>
> = {
  late: {
    pattern: 'scan_timeout',
    message: 'Request blocked by content filter: the text could not be scanned in time',
  },
  broken: {
    pattern: 'scan_failed',
    message: 'Request blocked by content filter: the text could not be scanned',
  },
};

/** Returns the failure that refuses a request; undefined: none does. */
export function refusingFailure(
  { filters, failMode }: PolicyFilters,
  outcomes: readonly GroupOutcome[],
): ScanFailure | undefined {
  if (failMode === 'pass') return undefined;
  if (failMode === 'block') return outcomes.map(failureOf).find((failure) => failure);
  // Entities are guesses: by default a request passes without them.
  if (filters.every(({ engine }) => engine === 'entities')) return undefined;
  return outcomes.find((outcome) => typeof outcome === 'string');
}

/** Returns what becomes of a request whose inputs are tokens: they cannot be scanned. */
export function unreadableTokens(
  filters: PolicyFilters,
): Pick<StageRefusal, 'reports'> | StageRefusal {
  const outcomes = ['broken'] as const;
  const reports = unscannedReports(filters, outcomes);
  if (!refusingFailure(filters, outcomes)) return { reports };
  return {
    rejected: 'guardrail_blocked',
    message: 'Request blocked by content filter: tokens cannot be scanned, send texts',
    metadata: { patterns: ['tokens'], reason: 'guardrail_blocked' },
    reports,
  };
}

/** Returns one report per guardrail whose filters did not scan all texts to the end. */
export function unscannedReports(
  policyFilters: PolicyFilters,
  outcomes: readonly GroupOutcome[],
): readonly StageReport[] {
  const failures = outcomes.flatMap((outcome) => failureOf(outcome) ?? []);
  const isBroken = failures.includes('broken');
  if (failures.length === 0) return [];
  const isCutAlone = outcomes.every((outcome) => typeof outcome !== 'string');
  const isBlocked = refusingFailure(policyFilters, outcomes) !== undefined;
  const { filters, owners } = policyFilters;
  const engines = new Map<Guardrail, Set<Filter['engine']>>();
  filters.forEach(({ engine }, index) => {
    const owner = owners[index];
    if (!owner || (isCutAlone && engine !== 'entities')) return;
    engines.set(owner, (engines.get(owner) ?? new Set()).add(engine));
  });
  const missed = isCutAlone ? 'entities were not looked for in the whole text' : 'not scanned';
  return [...engines].map(([owner, names]) => ({
    type: 'guardrail',
    name: 'content-filter',
    guardrail_id: owner.id,
    guardrail_scope: scopeOf(owner),
    summary: `${isBroken ? 'failed' : 'timed out'}: ${missed}`,
    data: {
      action: isBlocked ? 'blocked' : 'passed',
      detected: false,
      engines: [...names],
      ...(isBroken ? { failed: true } : { timed_out: true }),
    },
  }));
}
