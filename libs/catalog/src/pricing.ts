import {
  parsePriceAttoUsd,
  type PlainPrices,
  type Prices,
  type PriceTier,
} from '@sluice/inference';
import type { PriceOverride, Pricing } from './catalog.ts';
import { isTimed, isWithin } from './price-window.ts';

/** Prices that a catalog may leave out, by the name that they have there. */
const specialPrices = {
  input_cache_write: 'cacheWriteTokenAttoUsd',
  input_cache_write_1h: 'cacheWriteHourTokenAttoUsd',
  internal_reasoning: 'reasoningTokenAttoUsd',
  image: 'imageAttoUsd',
  search_unit: 'searchUnitAttoUsd',
  image_token: 'imageInputTokenAttoUsd',
  image_output: 'imageOutputTokenAttoUsd',
  audio: 'audioInputTokenAttoUsd',
  input_audio_cache: 'cachedAudioTokenAttoUsd',
  audio_output: 'audioOutputTokenAttoUsd',
  web_search: 'webSearchAttoUsd',
} as const satisfies Partial<Record<keyof Pricing, keyof PlainPrices>>;

/** The prices that an override can change. */
export const overridablePrices = [
  'prompt',
  'completion',
  'audio',
  'input_audio_cache',
  'input_cache_read',
  'input_cache_write',
  'input_cache_write_1h',
] as const satisfies readonly (keyof PriceOverride)[];

/**
 * Decimal strings → exact prices, with tiers by the length of the prompt, and after the discount: those outside
 * of any window of time. Throws a TypeError that names the field, also where a discount leaves less than 10⁻¹⁸ USD.
 */
export function pricesOf(pricing: Pricing): Prices {
  for (const [index, override] of (pricing.overrides ?? []).entries())
    checkOverride(override, `overrides[${String(index)}]`);
  return pricesWith(
    pricing,
    (pricing.overrides ?? []).filter((override) => !isTimed(override)),
  );
}

/** Returns the problem of a pricing, beginning with the field. undefined: none. */
export function pricingProblem(pricing: Pricing): string | undefined {
  try {
    pricesOf(pricing);
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function checkOverride(override: PriceOverride, path: string): void {
  const { min_prompt_tokens: bound, utc_start: start, utc_end: end } = override;
  if (bound === undefined && !isTimed(override)) throw new TypeError(`${path} has no condition`);
  if ((start === undefined) !== (end === undefined))
    throw new TypeError(`${path} needs both utc_start and utc_end`);
  if (overridablePrices.every((name) => override[name] === undefined))
    throw new TypeError(`${path} has no price`);
}

/** The same of any instant; undefined: at any time they are what `pricesOf` says. */
export function timedPricesOf(pricing: Pricing): ((instant: Date) => Prices) | undefined {
  const overrides = pricing.overrides ?? [];
  if (!overrides.some(isTimed)) return undefined;
  const known = new Map<string, Prices>();
  return (instant) => {
    const met = overrides.map((override) => isWithin(override, instant));
    const key = met.map(Number).join('');
    const prices =
      known.get(key) ??
      pricesWith(
        pricing,
        overrides.filter((_override, index) => met[index]),
      );
    known.set(key, prices);
    return prices;
  };
}

function pricesWith(pricing: Pricing, overrides: readonly PriceOverride[]): Prices {
  const bounds = overrides.flatMap(({ min_prompt_tokens: bound }) => bound ?? []);
  const tiers = [...new Set(bounds)]
    .toSorted((a, b) => a - b)
    .map((aboveTokens): PriceTier => {
      const met = overrides.filter(({ min_prompt_tokens: bound = 0 }) => bound <= aboveTokens);
      return { aboveTokens, prices: plainPrices(overlaid(pricing, met)) };
    });
  const always = overrides.filter(({ min_prompt_tokens: bound }) => bound === undefined);
  const prices = plainPrices(overlaid(pricing, always));
  return tiers.length > 0 ? { ...prices, tiers } : prices;
}

/** Later entries win, price by price. */
function overlaid(pricing: Pricing, overrides: readonly PriceOverride[]): Pricing {
  const all: { -readonly [Name in keyof Pricing]: Pricing[Name] } = { ...pricing };
  for (const override of overrides)
    for (const name of overridablePrices) {
      const decimal = override[name];
      if (decimal !== undefined) all[name] = decimal;
    }
  return all;
}

function plainPrices(pricing: Pricing): PlainPrices {
  const share = chargedShare(pricing.discount ?? 0);
  const price = (field: string, decimal: string) => discounted(field, decimal, share);
  const prices: { -readonly [Name in keyof PlainPrices]: PlainPrices[Name] } = {
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

/** The number of decimal places that a discount may have, as a factor. */
const shareParts = 1_000_000n;
const discountPattern = /^(?:0(?:\.\d{1,6})?|1)$/;

/** In millionths, and never computed with floating point. */
function chargedShare(discount: number): bigint {
  const decimal = String(discount);
  if (!discountPattern.test(decimal))
    throw new TypeError('discount must be from 0 to 1, with six decimal places at most');
  const [whole = '', fraction = ''] = decimal.split('.');
  return shareParts - BigInt(whole + fraction.padEnd(6, '0'));
}

function discounted(field: string, decimal: string, share: bigint): bigint {
  const attoUsd = parsePriceAttoUsd(decimal);
  if (attoUsd === undefined)
    throw new TypeError(`${field} must be a decimal string such as "0.0000025"`);
  if ((attoUsd * share) % shareParts !== 0n)
    throw new TypeError(`${field} after the discount has more than 18 decimal places`);
  return (attoUsd * share) / shareParts;
}
