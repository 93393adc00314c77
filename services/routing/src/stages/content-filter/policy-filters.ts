import { hash } from 'node:crypto';
import { type Filter, filtersOf, type FilterSet, isBuiltinSlug } from '@sluice/content-filter';
import { type FailMode, filterActionOf } from '@sluice/policy';
import { demandsOf } from '../../policy/demands-of.ts';
import type { Guardrail, Policy } from '../../policy/policy.ts';

/** The joint content filters of a policy's guardrails. */
export interface PolicyFilters {
  /** The same for equal filters: verdicts of one are verdicts of the other. */
  readonly revision: string;
  readonly set: FilterSet;
  readonly filters: readonly Filter[];
  /** The guardrail that asks for each filter. */
  readonly owners: readonly Guardrail[];
  /** Injections are looked for in texts of users alone. */
  readonly scansUsersAlone: boolean;
  /** null: patterns refuse a text that could not be scanned, entities alone let it pass. */
  readonly failMode: FailMode | null;
}

/** Time to look for entities in one request. */
export const entitiesMs = 500;
const ofPolicies = new WeakMap<Policy, PolicyFilters | null>();

/** Returns the joint filters of a policy; null: it has none. */
export function filtersOfPolicy(policy: Policy): PolicyFilters | null {
  const known = ofPolicies.get(policy);
  if (known !== undefined) return known;
  const filters = hasFilters(policy) ? joined(policy) : null;
  ofPolicies.set(policy, filters);
  return filters;
}

function hasFilters({ guardrails }: Policy): boolean {
  return guardrails.some(
    ({ rules }) =>
      (rules?.builtinFilters?.filters.length ?? 0) > 0 ||
      (rules?.customFilters?.filters.length ?? 0) > 0,
  );
}

function joined(policy: Policy): PolicyFilters {
  const { builtinFilters, customFilters, failMode } = demandsOf(policy);
  const { allowedPhrases } = policy;
  const set: FilterSet = {
    builtin: builtinFilters.map(({ slug, action }) => {
      if (!isBuiltinSlug(slug)) throw new Error(`a guardrail has an unknown filter: ${slug}`);
      return { slug, action };
    }),
    custom: customFilters,
    ...(allowedPhrases.length > 0 && { allowedPhrases }),
  };
  const filters = filtersOf(set);
  const injection = builtinFilters.find(({ slug }) => slug === 'regex-prompt-injection');
  return {
    revision: hash('sha256', JSON.stringify(set), 'base64url'),
    set,
    filters,
    owners: filters.map((filter) => ownerOf(policy, filter)),
    scansUsersAlone: injection?.scanScope === 'user_only',
    failMode,
  };
}

/** Returns the scope of a guardrail under its public name. */
export function scopeOf({ scope }: Guardrail): string {
  return scope === 'key' ? 'api-key' : scope;
}

/** The first guardrail that asks for the action of the filter, which is the strongest of all. */
function ownerOf({ guardrails }: Policy, filter: Filter): Guardrail {
  const owner = guardrails.find(({ rules }) =>
    filter.slug === 'custom'
      ? (rules?.customFilters?.filters ?? []).some(
          ({ pattern, action }) =>
            pattern === filter.pattern && filterActionOf(action) === filter.action,
        )
      : (rules?.builtinFilters?.filters ?? []).some(
          ({ slug, action }) => slug === filter.slug && filterActionOf(action) === filter.action,
        ),
  );
  if (!owner) throw new Error('invariant: each filter is one of a guardrail');
  return owner;
}
