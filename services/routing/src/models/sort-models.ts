import type { CatalogQuestion, CatalogSort } from '@sluice/inference-port';
import type { Model } from '@sluice/catalog';
import { designEloOf, indexOf } from '../selection/benchmarks.ts';
import { leadEndpoint, shownEndpoints } from './shown-endpoints.ts';
import type { EndpointStatistics, StatisticsOf } from './statistics.ts';

/** Sorts that what was measured decides: their answers are not kept. */
const measuredSorts: ReadonlySet<CatalogSort> = new Set([
  'most-popular',
  'top-weekly',
  'throughput-high-to-low',
  'latency-low-to-high',
]);

/** Sorts models by score. Models without a score come last. Models with the same score keep their order. */
export function sortModels(
  models: readonly Model[],
  sort: CatalogSort,
  statistics: StatisticsOf,
): readonly Model[] {
  const scored = models.map((model) => ({ model, score: scoreOf(model, sort, statistics) }));
  return scored.toSorted((a, b) => compare(a.score, b.score)).map(({ model }) => model);
}

/** The highest first; undefined: there is none. */
export function scoreOf(
  model: Model,
  sort: CatalogSort,
  statistics: StatisticsOf,
): number | undefined {
  switch (sort) {
    case 'most-popular':
    case 'top-weekly':
      return sumOf(measured(model, statistics, ({ requestCount }) => requestCount));
    case 'newest':
      return model.created === 0 ? undefined : model.created;
    case 'pricing-low-to-high':
      return negative(priceOf(model));
    case 'pricing-high-to-low':
      return priceOf(model);
    case 'context-high-to-low':
      return model.contextLength;
    case 'throughput-high-to-low':
      return highestOf(measured(model, statistics, (one) => one.tokensPerSecond?.p50));
    case 'latency-low-to-high':
      return highestOf(measured(model, statistics, (one) => negative(one.latencyMs?.p50)));
    case 'intelligence-high-to-low':
      return indexOf(model, 'intelligence_index');
    case 'coding-high-to-low':
      return indexOf(model, 'coding_index');
    case 'agentic-high-to-low':
      return indexOf(model, 'agentic_index');
    case 'design-arena-elo-high-to-low':
      return designEloOf(model);
  }
}

function compare(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return b - a;
}

/** The price of one token in and one out. */
function priceOf(model: Model): number | undefined {
  const prices = leadEndpoint(model)?.prices;
  return prices && Number(prices.inputTokenAttoUsd + prices.outputTokenAttoUsd);
}

function measured(
  model: Model,
  statistics: StatisticsOf,
  value: (statistics: EndpointStatistics) => number | undefined,
): readonly number[] {
  return shownEndpoints(model).flatMap(({ id }) => {
    const known = statistics(id);
    return (known && value(known)) ?? [];
  });
}

function sumOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

function highestOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values);
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}

/** True if the answer depends on measurements or the time: it is not cached. */
export function dependsOnMore(parameters: CatalogQuestion['parameters']): boolean {
  const { sort, min_age_days, max_age_days } = parameters;
  if (min_age_days !== undefined || max_age_days !== undefined) return true;
  return [...measuredSorts].some((measured) => measured === sort);
}
