import { type Static, Type } from 'typebox';
import { flag, listOf, number, oneOf, optional, text } from '../fields.ts';
import { limits } from './limits.ts';

const measureMax = 1_000_000;
const sortKey = oneOf('price', 'throughput', 'latency', 'exacto');

const names = (max: number) =>
  optional(
    listOf(text({ min: 1, max, mustBe: 'a string that is not empty' }), {
      max: limits.namesMax,
    }),
  );
const providers = names(limits.providerCharactersMax);

const measure = number(0, measureMax);
/** A number is that of the median. */
const thresholds = optional(
  Type.Union([
    measure,
    Type.Object({
      p50: optional(measure),
      p75: optional(measure),
      p90: optional(measure),
      p99: optional(measure),
    }),
  ]),
);

const usd = { mustBe: 'a price in USD such as "1.5"' };
const price = optional(
  Type.Union(
    [
      Type.String({ pattern: String.raw`^\d{1,9}(\.\d{1,18})?$`, ...usd }),
      Type.Number({ minimum: 0, exclusiveMaximum: measureMax, ...usd }),
    ],
    usd,
  ),
);

const provider = Type.Object(
  {
    sort: optional(
      Type.Union([
        sortKey,
        Type.Object({
          by: optional(sortKey),
          partition: optional(oneOf('model', 'none')),
        }),
      ]),
    ),
    order: providers,
    only: providers,
    ignore: providers,
    allow_fallbacks: optional(flag),
    require_parameters: optional(flag),
    data_collection: optional(oneOf('allow', 'deny')),
    zdr: optional(flag),
    enforce_distillable_text: optional(flag),
    quantizations: optional(
      listOf(
        oneOf(
          'int4',
          'int8',
          'fp4',
          'mxfp4',
          'nvfp4',
          'fp6',
          'fp8',
          'mxfp8',
          'fp16',
          'bf16',
          'fp32',
          'unknown',
        ),
        { max: limits.namesMax },
      ),
    ),
    preferred_min_throughput: thresholds,
    preferred_max_latency: thresholds,
    max_price: optional(
      Type.Object({
        prompt: price,
        completion: price,
        image: price,
        audio: price,
        request: price,
      }),
    ),
  },
  { additionalProperties: false },
);
export type ProviderBody = Static<typeof provider>;

const model = text({ min: 1, max: limits.modelCharactersMax });

/** Which models, at which endpoints. */
export const preferenceFields = {
  provider: optional(provider),
  route: optional(oneOf('fallback', 'sort')),
  model: optional(model),
  models: names(limits.modelCharactersMax),
  preset: optional(model),
};
