import { parsePriceAttoUsd, type Prices } from '@sluice/inference';
import type { Pricing } from './catalog.ts';

/** Prices that a catalogue may leave out, by the name that they have there. */
const specialPrices = {
  input_cache_write: 'cacheWriteTokenAttoUsd',
  input_cache_write_1h: 'cacheWriteHourTokenAttoUsd',
  internal_reasoning: 'reasoningTokenAttoUsd',
  image: 'imageAttoUsd',
  image_token: 'imageInputTokenAttoUsd',
  image_output: 'imageOutputTokenAttoUsd',
  audio: 'audioInputTokenAttoUsd',
  input_audio_cache: 'cachedAudioTokenAttoUsd',
  audio_output: 'audioOutputTokenAttoUsd',
} as const satisfies Partial<Record<keyof Pricing, keyof Prices>>;

/** Decimal strings → exact prices. Throws a TypeError that names the field. */
export function pricesOf(pricing: Pricing): Prices {
  const prices: { -readonly [Name in keyof Prices]: Prices[Name] } = {
    inputTokenAttoUsd: price('prompt', pricing.prompt),
    cachedTokenAttoUsd: price('input_cache_read', pricing.input_cache_read ?? pricing.prompt),
    outputTokenAttoUsd: price('completion', pricing.completion),
    requestAttoUsd: price('request', pricing.request ?? '0'),
  };
  for (const [field, name] of Object.entries(specialPrices)) {
    const decimal = pricing[field as keyof typeof specialPrices];
    if (decimal !== undefined) prices[name] = price(field, decimal);
  }
  return prices;
}

function price(field: string, decimal: string): bigint {
  const attoUsd = parsePriceAttoUsd(decimal);
  if (attoUsd === undefined)
    throw new TypeError(`${field} must be a decimal string such as "0.0000025"`);
  return attoUsd;
}
