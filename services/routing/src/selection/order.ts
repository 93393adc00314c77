import type { ServiceTier } from '@sluice/catalog';
import { blendedPrice, type Candidate } from './candidate.ts';
import { drawn, drawnFor, seedOf } from './draw.ts';
import { isNamed } from './filters.ts';
import type { Preferences, SortKey, Thresholds } from '../request/preferences.ts';

/** Milliseconds to the first token, or tokens per second, by percentile. */
export type Percentiles = Readonly<Record<'p50' | 'p75' | 'p90' | 'p99', number>>;

/** Recent observations of this replica about an endpoint. */
export interface Condition {
  readonly latencyMs: Percentiles | undefined;
  readonly tokensPerSecond: Percentiles | undefined;
  /** True if too many calls of the last half minute failed. */
  readonly isUnstable: boolean;
  /** It failed so that it is left alone for a while. */
  readonly isOut: boolean;
  /** True if too many tool calls were bad. */
  readonly isPoorWithTools: boolean;
}

export interface Ordering {
  readonly preferences: Preferences;
  /** From the preferences, or else from the slug's suffix. */
  readonly sort: SortKey | undefined;
  readonly hasTools: boolean;
  readonly condition: (endpointId: string) => Condition | undefined;
  /** The endpoint that served the conversation before. */
  readonly sticky: string | undefined;
  /** Draws alike wherever it is asked for; undefined: by chance. */
  readonly session: string | undefined;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export interface Ordered {
  readonly candidate: Candidate;
  readonly reason: string;
  /** The seed that drew it. Absent: it was not drawn by chance. */
  readonly seed?: string;
}

/**
 * Returns all candidates in the order of attempts, each once and with its reason. Candidates that failed lately are
 * last, unless most of them failed.
 */
export function orderCandidates(
  candidates: readonly Candidate[],
  ordering: Ordering,
): readonly Ordered[] {
  const { preferences, sticky } = ordering;
  const ordered =
    preferences.mixesModels || areOfOneModel(candidates)
      ? orderGroup(candidates, ordering)
      : byModel(candidates).flatMap((group) => orderGroup(group, ordering));
  const first =
    sticky === undefined || preferences.order
      ? -1
      : ordered.findIndex(({ candidate }) => candidate.endpoint.id === sticky);
  const kept = first < 0 ? ordered : toFront(ordered, first);
  return preferences.allowsFallbacks ? kept : withoutFallbacks(kept, preferences);
}

function areOfOneModel(candidates: readonly Candidate[]): boolean {
  const model = candidates[0]?.model;
  for (const candidate of candidates) if (candidate.model !== model) return false;
  return true;
}

function toFront(ordered: readonly Ordered[], index: number): readonly Ordered[] {
  const found = ordered[index];
  // A conversation does not move an ejected endpoint to the front.
  if (!found || found.reason === outReason) return ordered;
  const others = ordered.filter((one) => one !== found);
  return [{ candidate: found.candidate, reason: 'sticky' }, ...others];
}

function withoutFallbacks(ordered: readonly Ordered[], { order }: Preferences): readonly Ordered[] {
  if (!order) return ordered.slice(0, 1);
  const listed = ordered.filter(({ candidate }) =>
    order.some((name) => isNamed(candidate.endpoint, name)),
  );
  return listed.length > 0 ? listed : ordered.slice(0, 1);
}

const outReason = 'failed lately';
const balancedReason = 'load balancing';

function orderGroup(group: readonly Candidate[], ordering: Ordering): readonly Ordered[] {
  const [only] = group;
  // A single endpoint is tried, whatever is known of it.
  if (only && group.length === 1 && !isRanked(ordering))
    return [{ candidate: only, reason: balancedReason }];
  const known = new Map<Candidate, Condition | undefined>();
  for (const candidate of group) known.set(candidate, ordering.condition(candidate.endpoint.id));
  const out = group.filter((candidate) => known.get(candidate)?.isOut);
  const isPanic = out.length * 2 > group.length;
  const isOut = (candidate: Candidate) => !isPanic && (known.get(candidate)?.isOut ?? false);
  const inside = group.filter((candidate) => !isOut(candidate));
  const ordered = [
    ...byRule(inside, ordering, known),
    ...byPrice(group.filter(isOut)).map((candidate) => ({ candidate, reason: outReason })),
  ];
  return lateLast(ordered, ordering.preferences, known);
}

/** True when a criterion other than the price decides, or is reported as the reason. */
function isRanked({ preferences, sort, hasTools }: Ordering): boolean {
  const { order, tier, throughputMin, latencyMax } = preferences;
  return Boolean(order ?? sort ?? tier ?? throughputMin ?? latencyMax) || hasTools;
}

type Known = ReadonlyMap<Candidate, Condition | undefined>;

function byRule(
  candidates: readonly Candidate[],
  ordering: Ordering,
  known: Known,
): readonly Ordered[] {
  const { preferences, sort, hasTools } = ordering;
  if (preferences.order) return byNames(candidates, preferences.order, ordering, known);
  if (sort) return sorted(candidates, sort, known);
  if (preferences.tier === 'flex')
    return byPrice(candidates).map((candidate) => ({ candidate, reason: 'service tier' }));
  if (preferences.tier) return byTier(candidates, known);
  const balanced = loadBalanced(candidates, ordering, known);
  if (!hasTools) return balanced;
  return behind(
    balanced,
    (one) => known.get(one.candidate)?.isPoorWithTools ?? false,
    'bad calls of tools',
  );
}

function byNames(
  candidates: readonly Candidate[],
  order: readonly string[],
  ordering: Ordering,
  known: Known,
): readonly Ordered[] {
  const listed: Candidate[] = [];
  for (const name of order)
    for (const candidate of candidates)
      if (!listed.includes(candidate) && isNamed(candidate.endpoint, name)) listed.push(candidate);
  const rest = candidates.filter((candidate) => !listed.includes(candidate));
  return [
    ...listed.map((candidate) => ({ candidate, reason: 'provider.order' })),
    ...loadBalanced(rest, ordering, known),
  ];
}

function sorted(candidates: readonly Candidate[], sort: SortKey, known: Known): readonly Ordered[] {
  const reason = `sort by ${sort}`;
  if (sort === 'price') return byPrice(candidates).map((candidate) => ({ candidate, reason }));
  const score = (candidate: Candidate): number => {
    const condition = known.get(candidate);
    if (sort === 'latency') return -(condition?.latencyMs?.p50 ?? Infinity);
    if (sort === 'throughput') return condition?.tokensPerSecond?.p50 ?? -Infinity;
    return condition?.isPoorWithTools ? 0 : 1;
  };
  return candidates
    .toSorted((a, b) => compare(score(b), score(a)))
    .map((candidate) => ({ candidate, reason }));
}

const tierOrder: readonly ServiceTier[] = ['ultrafast', 'priority', 'default', 'flex'];

function byTier(candidates: readonly Candidate[], known: Known): readonly Ordered[] {
  const speed = (one: Candidate) => known.get(one)?.tokensPerSecond?.p50 ?? -Infinity;
  const place = ({ endpoint }: Candidate) => tierOrder.indexOf(endpoint.tier);
  return candidates
    .toSorted((a, b) => compare(place(a), place(b)) || compare(speed(b), speed(a)))
    .map((candidate) => ({ candidate, reason: 'service tier' }));
}

/** The first by chance, the cheaper the likelier; the others from the cheapest on, unstable ones last. */
function loadBalanced(
  candidates: readonly Candidate[],
  ordering: Ordering,
  known: Known,
): readonly Ordered[] {
  const isUnstable = (candidate: Candidate) => known.get(candidate)?.isUnstable ?? false;
  const stable = candidates.filter((candidate) => !isUnstable(candidate));
  const unstable = byPrice(candidates.filter(isUnstable));
  const pool = stable.length > 0 ? stable : unstable;
  const first = firstOf(pool, ordering);
  const others = [...byPrice(stable), ...unstable].filter((one) => one !== first?.candidate);
  return [
    ...(first ? [first] : []),
    ...others.map((candidate) => ({
      candidate,
      reason: isUnstable(candidate) ? 'unstable' : 'fallback by price',
    })),
  ];
}

function firstOf(pool: readonly Candidate[], { random, session }: Ordering): Ordered | undefined {
  const seed = pool.length > 1 && session === undefined ? seedOf(random) : undefined;
  const bySession = () => (session === undefined ? pool[0] : drawnFor(session, pool));
  const candidate = seed === undefined ? bySession() : drawn(pool, seed);
  return candidate && { candidate, reason: balancedReason, ...(seed !== undefined && { seed }) };
}

/** Puts endpoints that miss the asked speed behind those that do not. */
function lateLast(
  ordered: readonly Ordered[],
  { throughputMin, latencyMax }: Preferences,
  known: Known,
): readonly Ordered[] {
  if (!throughputMin && !latencyMax) return ordered;
  const misses = ({ candidate }: Ordered) => {
    const { latencyMs, tokensPerSecond } = known.get(candidate) ?? {};
    const isSlow =
      latencyMs && below(latencyMax, (key, seconds) => latencyMs[key] > seconds * 1_000);
    const isWeak =
      tokensPerSecond && below(throughputMin, (key, least) => tokensPerSecond[key] < least);
    return (isSlow ?? false) || (isWeak ?? false);
  };
  return behind(ordered, misses, 'slower than preferred');
}

function below(
  thresholds: Thresholds | undefined,
  isMissed: (key: keyof Percentiles, value: number) => boolean,
): boolean {
  return Object.entries(thresholds ?? {}).some(([key, value]) =>
    isMissed(key as keyof Percentiles, value),
  );
}

function behind(
  ordered: readonly Ordered[],
  isBehind: (one: Ordered) => boolean,
  reason: string,
): readonly Ordered[] {
  const late = ordered.filter(isBehind);
  if (late.length === 0) return ordered;
  return [
    ...ordered.filter((one) => !late.includes(one)),
    ...late.map((one) => ({ ...one, reason })),
  ];
}

function byPrice(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((a, b) => compare(blendedPrice(a), blendedPrice(b)));
}

function byModel(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.model.id);
    if (group) group.push(candidate);
    else groups.set(candidate.model.id, [candidate]);
  }
  return [...groups.values()];
}

/** Infinities compare as equals of themselves. */
function compare(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
