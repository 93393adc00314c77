import type { CatalogEndpoint, Model } from '@sluice/catalog';
import { indexOf, toolSuccessRateOf } from '../selection/benchmarks.ts';
import type { ModelFilters, Range } from './model-filters.ts';
import { asRouter } from './router-rows.ts';
import { leadEndpoint, parametersOf, shownEndpoints } from './shown-endpoints.ts';

const daySeconds = 86_400;
const attoUsdPerMillion = 1e12;

/** Returns true if a model matches all filters. An unknown value matches no filter. */
export function satisfies(model: Model, filters: ModelFilters, nowSeconds: number): boolean {
  return (
    isSpokenTo(model, filters) &&
    isNamed(model, filters) &&
    hasAbilities(model, filters) &&
    isScored(model, filters, nowSeconds) &&
    isAffordable(model, filters) &&
    isServed(model, filters)
  );
}

function isSpokenTo(
  { inputModalities, outputModalities }: Model,
  { inputModalities: inputs, outputModalities: outputs }: ModelFilters,
): boolean {
  const takes: readonly string[] = inputModalities;
  const gives: readonly string[] = outputModalities;
  if (!inputs.every((input) => takes.includes(input))) return false;
  return outputs === 'all' || outputs.some((output) => gives.includes(output));
}

function isNamed({ id, name, canonicalSlug, details }: Model, filters: ModelFilters): boolean {
  const { words, authors, family } = filters;
  if (words.length > 0) {
    const text = `${id} ${canonicalSlug} ${name}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return false;
  }
  if (authors.length > 0 && !authors.includes(authorOf(id))) return false;
  const { tokenizer, instructType } = details;
  return family === undefined || [tokenizer, instructType].some((of) => isSame(of, family));
}

function hasAbilities(model: Model, filters: ModelFilters): boolean {
  const { supportedParameters: wanted, category, contextMin, isDistillable } = filters;
  const { details, contextLength = 0 } = model;
  if (wanted.length > 0) {
    const taken = asRouter(model)?.parameters ?? parametersOf(model);
    if (!wanted.every((parameter) => taken.has(parameter))) return false;
  }
  if (category !== undefined && !details.categories?.includes(category)) return false;
  if (contextMin !== undefined && contextLength < contextMin) return false;
  return isDistillable === undefined || (details.isDistillable ?? false) === isDistillable;
}

function isScored(model: Model, filters: ModelFilters, nowSeconds: number): boolean {
  return (
    isWithin(ageDaysOf(model, nowSeconds), filters.ageDays) &&
    isWithin(indexOf(model, 'intelligence_index'), filters.intelligence) &&
    isWithin(indexOf(model, 'coding_index'), filters.coding) &&
    isWithin(indexOf(model, 'agentic_index'), filters.agentic) &&
    isWithin(toolSuccessRateOf(model), filters.toolSuccessRate)
  );
}

function isAffordable(model: Model, { price, outputPrice }: ModelFilters): boolean {
  const prices = leadEndpoint(model)?.prices;
  return (
    isWithin(perMillion(prices?.inputTokenAttoUsd), price) &&
    isWithin(perMillion(prices?.outputTokenAttoUsd), outputPrice)
  );
}

/** One endpoint must meet all conditions: zero retention at one and Europe at another do not combine. */
function isServed(model: Model, filters: ModelFilters): boolean {
  const { providers, isZeroRetention, region } = filters;
  if (providers.length === 0 && !isZeroRetention && region === undefined) return true;
  return shownEndpoints(model).some(
    (endpoint) =>
      (providers.length === 0 || providers.some((provider) => isOf(endpoint, provider))) &&
      (!isZeroRetention || !endpoint.dataPolicy.retains) &&
      (region === undefined || endpoint.dataRegion === region),
  );
}

function isOf({ endpoint, providerName }: CatalogEndpoint, provider: string): boolean {
  return endpoint.provider === provider || isSame(providerName, provider);
}

function isSame(value: string | undefined, inLowerCase: string): boolean {
  return value?.toLowerCase() === inLowerCase;
}

function ageDaysOf({ created }: Model, nowSeconds: number): number | undefined {
  return created === 0 ? undefined : (nowSeconds - created) / daySeconds;
}

function perMillion(attoUsd: bigint | undefined): number | undefined {
  return attoUsd === undefined ? undefined : Number(attoUsd) / attoUsdPerMillion;
}

function isWithin(value: number | undefined, { min, max }: Range): boolean {
  if (min === undefined && max === undefined) return true;
  return value !== undefined && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
}

function authorOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
