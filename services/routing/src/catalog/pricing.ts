import { parsePriceAttoUsd, type Prices } from '@sluice/inference';
import type { Pricing } from './catalog.ts';

/** Decimal strings → exact prices. Throws a TypeError that names the field. */
export function pricesOf(pricing: Pricing): Prices {
  const prompt = price('prompt', pricing.prompt);
  return {
    inputTokenAttoUsd: prompt,
    cachedTokenAttoUsd:
      pricing.input_cache_read === undefined
        ? prompt
        : price('input_cache_read', pricing.input_cache_read),
    outputTokenAttoUsd: price('completion', pricing.completion),
    requestAttoUsd: pricing.request === undefined ? 0n : price('request', pricing.request),
  };
}

function price(field: string, decimal: string): bigint {
  const attoUsd = parsePriceAttoUsd(decimal);
  if (attoUsd === undefined)
    throw new TypeError(`${field} must be a decimal string such as "0.0000025"`);
  return attoUsd;
}
