import { dividedByTen } from './decimal.ts';
import type { ListedOverride, ListedPricing } from './listed-model.ts';

/** Prices by the names of the package: a number, or one that is higher for a long prompt. */
export type NamedPrices = Readonly<Record<string, Price | undefined>>;
type Price = number | TieredPrice;

interface TieredPrice {
  readonly base: number;
  /** More tokens of input than `start`. */
  readonly tiers: readonly { readonly start: number; readonly price: number }[];
}

/** The last entry whose constraint holds counts, as a whole. */
export type ConditionalPrices = readonly {
  readonly constraint?:
    | { readonly type: 'start_date'; readonly start_date: string }
    | { readonly type: 'time_of_date'; readonly start_time: string; readonly end_time: string };
  readonly prices: NamedPrices;
}[];

const [perMillion, perThousand] = [6, 3];

/** Every price that we have a name for, and of how many it is there: ten to that power. */
const units = {
  input_mtok: ['prompt', perMillion],
  output_mtok: ['completion', perMillion],
  cache_read_mtok: ['input_cache_read', perMillion],
  cache_write_mtok: ['input_cache_write', perMillion],
  cache_write_1h_mtok: ['input_cache_write_1h', perMillion],
  output_reasoning_mtok: ['internal_reasoning', perMillion],
  input_image_mtok: ['image_token', perMillion],
  output_image_mtok: ['image_output', perMillion],
  input_audio_mtok: ['audio', perMillion],
  cache_audio_read_mtok: ['input_audio_cache', perMillion],
  output_audio_mtok: ['audio_output', perMillion],
  requests_kcount: ['request', perThousand],
  web_searches_kcount: ['web_search', perThousand],
} as const satisfies Readonly<Record<string, readonly [keyof ListedPricing, number]>>;

type Field = (typeof units)[keyof typeof units][0];
type Fields = Readonly<Partial<Record<Field, string>>>;

/** Prices of a tool that the provider runs on its own files. The catalog has no price for that. */
const ignored: ReadonlySet<string> = new Set(['storage_searches_kcount']);

/** The prices that an override may change. */
const overridable = [
  'prompt',
  'completion',
  'audio',
  'input_audio_cache',
  'input_cache_read',
  'input_cache_write',
  'input_cache_write_1h',
] as const satisfies readonly (Field & keyof ListedOverride)[];

/** A price of the list that is absent here is the price of any other input. */
const inPlaceOfPrompt: ReadonlySet<Field> = new Set([
  'input_cache_read',
  'input_cache_write',
  'audio',
]);

/**
 * The prices of an instant, those of all hours of its day included. undefined: something of them has no name here,
 * is on a condition that cannot be said, or is missing; nothing is guessed.
 */
export function pricingAt(all: ConditionalPrices, instant: Date): ListedPricing | undefined {
  const base = all.findLastIndex(
    ({ constraint }) =>
      !constraint ||
      (constraint.type === 'start_date' && new Date(constraint.start_date) <= instant),
  );
  const prices = all[base]?.prices;
  if (!prices) return undefined;
  const fields = fieldsOf(prices, (price) => (typeof price === 'number' ? price : price.base));
  const tiers = tiersOf(prices);
  const later = all.slice(base + 1).filter(({ constraint }) => constraint?.type !== 'start_date');
  if (!fields?.prompt || !fields.completion || !tiers) return undefined;
  if (fields.prompt === '0' && fields.completion === '0') return undefined;
  if (later.length > 0 && tiers.length > 0) return undefined;
  const hours = later.map((one) => hoursOf(one, fields));
  if (!hours.every((one) => one !== undefined)) return undefined;
  const overrides = [...tiers, ...hours];
  const { prompt, completion } = fields;
  return { ...fields, prompt, completion, ...(overrides.length > 0 && { overrides }) };
}

function fieldsOf(prices: NamedPrices, pick: (price: Price) => number): Fields | undefined {
  const fields: Partial<Record<Field, string>> = {};
  for (const [name, price] of Object.entries(prices)) {
    if (price === undefined || ignored.has(name)) continue;
    if (!Object.hasOwn(units, name)) return undefined;
    const [field, places] = units[name as keyof typeof units];
    const decimal = dividedByTen(pick(price), places);
    if (decimal === undefined) return undefined;
    fields[field] = decimal;
  }
  return fields;
}

/** From the lowest bound on: each says all prices that have tiers. */
function tiersOf(prices: NamedPrices): readonly ListedOverride[] | undefined {
  const tiered = Object.entries(prices).flatMap(([name, price]) =>
    typeof price === 'object' ? [[name, price] as const] : [],
  );
  const starts = tiered.flatMap(([, { tiers }]) => tiers.map(({ start }) => start));
  const overrides = [...new Set(starts)]
    .toSorted((a, b) => a - b)
    .map((start) => {
      const above = (price: Price): number => {
        if (typeof price === 'number') return price;
        const met = price.tiers.filter((tier) => tier.start <= start);
        return met.reduce((last, tier) => (tier.start >= last.start ? tier : last), {
          start: 0,
          price: price.base,
        }).price;
      };
      const fields = fieldsOf(Object.fromEntries(tiered), above);
      return fields && areOverridable(fields) && { min_prompt_tokens: start, ...fields };
    });
  return overrides.every((one) => typeof one === 'object') ? overrides : undefined;
}

function areOverridable(fields: Fields): boolean {
  return Object.keys(fields).every((field) => overridable.some((one) => one === field));
}

/** Returns the hours of a conditional price and its prices, each in the place of that of the rest of the day. */
function hoursOf(
  { constraint, prices }: ConditionalPrices[number],
  base: Fields,
): ListedOverride | undefined {
  if (constraint?.type !== 'time_of_date') return undefined;
  const [start, end] = [clockOf(constraint.start_time), clockOf(constraint.end_time)];
  const hasTiers = Object.values(prices).some((price) => typeof price === 'object');
  const fields = hasTiers ? undefined : fieldsOf(prices, Number);
  if (!fields?.prompt || start === undefined || end === undefined) return undefined;
  const changed: Partial<Record<(typeof overridable)[number], string>> = {};
  for (const name of new Set([...Object.keys(base), ...Object.keys(fields)] as Field[])) {
    const field = overridable.find((one) => one === name);
    const instead = inPlaceOfPrompt.has(name) ? fields.prompt : undefined;
    const price = fields[name] ?? instead;
    if (!field) {
      if (base[name] !== fields[name]) return undefined;
    } else if (price === undefined) return undefined;
    else changed[field] = price;
  }
  return { utc_start: start, utc_end: end, ...changed };
}

/** `00:30:00Z` → `0030`; undefined: there are seconds in it, or it is of another zone. */
function clockOf(time: string): string | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d):00(?:\.0+)?Z$/.exec(time) ?? [];
  return hours !== undefined && minutes !== undefined ? hours + minutes : undefined;
}
