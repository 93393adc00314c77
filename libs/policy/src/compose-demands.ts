import {
  type BuiltinFilter,
  type CustomFilter,
  type Demands,
  type FailMode,
  type FilterAction,
  modelFamilies,
  type ModelFamily,
  type ScanOutput,
} from './demands.ts';
import { failModeOf, outputScanOf } from './filter-modes.ts';

/** The demands of all sides together. Their order does not matter. */
export interface EffectiveDemands {
  /** null: any; empty: none is left. */
  readonly allowedProviders: ReadonlySet<string> | null;
  readonly ignoredProviders: ReadonlySet<string>;
  readonly allowedModels: ReadonlySet<string> | null;
  readonly ignoredModels: ReadonlySet<string>;
  readonly zeroRetention: Readonly<Record<ModelFamily, boolean>>;
  readonly paidTraining: boolean | null;
  readonly freeTraining: boolean | null;
  readonly freePublication: boolean | null;
  readonly dataRegions: ReadonlySet<string> | null;
  /** Each slug once, by code point. */
  readonly builtinFilters: readonly BuiltinFilter[];
  /** Each pattern once, by code point. */
  readonly customFilters: readonly CustomFilter[];
  /** Only the filters of those sides that say it themselves are applied to the output. */
  readonly scanOutput: ScanOutput | null;
  readonly failMode: FailMode | null;
}

/**
 * Composes demands. All sides must allow a thing, and any side may refuse it. Of a filter the strongest action and the
 * widest scope count. No side can take away another's demand.
 */
export function composeDemands(all: readonly Demands[]): EffectiveDemands {
  return {
    allowedProviders: intersection(all.map(({ allowedProviders }) => allowedProviders)),
    ignoredProviders: union(all.map(({ ignoredProviders }) => ignoredProviders)),
    allowedModels: intersection(all.map(({ allowedModels }) => allowedModels)),
    ignoredModels: union(all.map(({ ignoredModels }) => ignoredModels)),
    zeroRetention: zeroRetentionOf(all),
    paidTraining: strictest(all.map(({ paidTraining }) => paidTraining)),
    freeTraining: strictest(all.map(({ freeTraining }) => freeTraining)),
    freePublication: strictest(all.map(({ freePublication }) => freePublication)),
    dataRegions: intersection(all.map(({ dataRegions }) => dataRegions)),
    builtinFilters: merged(
      all.flatMap(({ builtinFilters }) => builtinFilters),
      ({ slug }) => slug,
      stricterBuiltin,
    ),
    customFilters: merged(
      all.flatMap(({ customFilters }) => customFilters),
      ({ pattern }) => pattern,
      stricterCustom,
    ),
    scanOutput: outputScanOf(all),
    failMode: failModeOf(all),
  };
}

type Lists = readonly (readonly string[] | null)[];

function intersection(lists: Lists): ReadonlySet<string> | null {
  const sets = lists.filter((list) => list !== null).map((list) => new Set(list));
  const [first, ...others] = sets;
  if (!first) return null;
  return new Set([...first].filter((value) => others.every((set) => set.has(value))).toSorted());
}

function union(lists: Lists): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list ?? []).toSorted());
}

function zeroRetentionOf(all: readonly Demands[]): Readonly<Record<ModelFamily, boolean>> {
  const demanded = (family: ModelFamily) =>
    all.some(({ zeroRetention }) => zeroRetention[family] === true);
  const [anthropic, openai, google, xai, other] = modelFamilies;
  return {
    anthropic: demanded(anthropic),
    openai: demanded(openai),
    google: demanded(google),
    xai: demanded(xai),
    other: demanded(other),
  };
}

/** false wins over true, and null says nothing. */
function strictest(flags: readonly (boolean | null)[]): boolean | null {
  if (flags.includes(false)) return false;
  return flags.includes(true) ? true : null;
}

function merged<Filter>(
  filters: readonly Filter[],
  nameOf: (filter: Filter) => string,
  stricter: (one: Filter, other: Filter) => Filter,
): readonly Filter[] {
  const byName = new Map<string, Filter>();
  for (const filter of filters) {
    const name = nameOf(filter);
    const known = byName.get(name);
    byName.set(name, known === undefined ? filter : stricter(known, filter));
  }
  return [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? []);
}

const strength: Readonly<Record<FilterAction, number>> = { flag: 0, redact: 1, block: 2 };

function stronger(one: FilterAction, other: FilterAction): FilterAction {
  return strength[one] >= strength[other] ? one : other;
}

function stricterBuiltin(one: BuiltinFilter, other: BuiltinFilter): BuiltinFilter {
  const scopes = [one.scanScope, other.scanScope];
  const scanScope = scopes.includes('all_messages')
    ? 'all_messages'
    : (one.scanScope ?? other.scanScope);
  return { slug: one.slug, action: stronger(one.action, other.action), scanScope };
}

/** With the label of the stronger one; of two as strong the first by code point, before none. */
function stricterCustom(one: CustomFilter, other: CustomFilter): CustomFilter {
  const difference = strength[one.action] - strength[other.action];
  if (difference !== 0) return difference > 0 ? one : other;
  if (one.label === null || other.label === null) return one.label === null ? other : one;
  return one.label <= other.label ? one : other;
}
