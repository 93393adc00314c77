import { Type } from 'typebox';
import { timePattern } from './price-window.ts';
import { overridablePrices } from './pricing.ts';

const closed = { additionalProperties: false };
const decimal = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,18})?$' });
/** So many that every mix of those with hours can be kept. */
const overridesMax = 8;

const time = Type.String({ pattern: timePattern });
const overrideSchema = Type.Object(
  {
    min_prompt_tokens: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    utc_start: Type.Optional(time),
    utc_end: Type.Optional(time),
    utc_days: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), { minItems: 1, uniqueItems: true }),
    ),
    ...Object.fromEntries(overridablePrices.map((name) => [name, Type.Optional(decimal)])),
  },
  closed,
);

/** `pricing` of an endpoint in the catalog file: of USD, decimal. */
export const pricingSchema = Type.Object(
  {
    prompt: decimal,
    completion: decimal,
    request: Type.Optional(decimal),
    input_cache_read: Type.Optional(decimal),
    input_cache_write: Type.Optional(decimal),
    input_cache_write_1h: Type.Optional(decimal),
    internal_reasoning: Type.Optional(decimal),
    image: Type.Optional(decimal),
    search_unit: Type.Optional(decimal),
    image_token: Type.Optional(decimal),
    image_output: Type.Optional(decimal),
    audio: Type.Optional(decimal),
    input_audio_cache: Type.Optional(decimal),
    audio_output: Type.Optional(decimal),
    web_search: Type.Optional(decimal),
    discount: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    overrides: Type.Optional(Type.Array(overrideSchema, { maxItems: overridesMax })),
  },
  closed,
);
