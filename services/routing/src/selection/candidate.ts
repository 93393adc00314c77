import type { PlainPrices } from '@sluice/inference';
import { mustNameOutputLimit, outputTokensUnnamed } from '@sluice/providers';
import type { CatalogEndpoint, Model } from '@sluice/catalog';

/** One that could answer. */
export interface Candidate {
  readonly model: Model;
  readonly endpoint: CatalogEndpoint;
  /** Prices for a prompt of the estimated length; absent: any length costs the same. */
  readonly expectedPrices?: PlainPrices;
  /** A router chose its model for failures that have nothing to do with the request. */
  readonly isSpare?: true;
  /** Serves only when no budget holds an attempt at another model. */
  readonly isForBudget?: true;
}

/** Returns the endpoint with the prices of this time, which then hold for the whole request. */
export function pricedAt(endpoint: CatalogEndpoint, now: () => Date): CatalogEndpoint {
  const { pricesAt } = endpoint;
  return pricesAt ? { ...endpoint, prices: pricesAt(now()) } : endpoint;
}

/** Returns the most output tokens that the catalog allows of an endpoint; Infinity where it names no limit. */
export function outputTokensMaxOf({
  model,
  endpoint,
}: Pick<Candidate, 'model' | 'endpoint'>): number {
  return endpoint.outputTokensMax ?? model.outputTokensMax ?? Infinity;
}

/**
 * Returns the output limit that a request without one gets: the endpoint's own, or what must be named where the
 * catalog names none. undefined: none is sent.
 */
export function outputTokensUnasked(
  candidate: Pick<Candidate, 'model' | 'endpoint'>,
): number | undefined {
  const own = outputTokensMaxOf(candidate);
  if (own < Infinity) return own;
  return mustNameOutputLimit(candidate.endpoint.endpoint) ? outputTokensUnnamed : undefined;
}

/** Returns the most tokens that input and output may have together. */
export function contextTokensMaxOf({
  endpoint,
  model,
}: Pick<Candidate, 'model' | 'endpoint'>): number {
  return endpoint.contextLength ?? model.contextLength ?? Infinity;
}

/** Returns the most tokens that the input alone may have. */
export function promptTokensMaxOf(candidate: Pick<Candidate, 'model' | 'endpoint'>): number {
  return Math.min(contextTokensMaxOf(candidate), candidate.endpoint.promptTokensMax ?? Infinity);
}

const inputShare = 3;
const outputShare = 1;

/** The price of a token in atto-USD, weighted as three of the input to one of the output. */
export function blendedPrice({ endpoint, expectedPrices }: Candidate): number {
  const prices = expectedPrices ?? endpoint.prices;
  return (
    (Number(prices.inputTokenAttoUsd) * inputShare + Number(prices.outputTokenAttoUsd)) /
    (inputShare + outputShare)
  );
}
