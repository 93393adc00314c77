import { type Static, Type } from 'typebox';
import { field, flag, listOf, number, oneOf, optional, text } from '../fields.ts';
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
      p50: optional(measure, 'Bound of the median.', 1),
      p75: optional(measure, 'Bound of the 75th percentile.', 1),
      p90: optional(measure, 'Bound of the 90th percentile.', 1),
      p99: optional(measure, 'Bound of the 99th percentile.', 1),
    }),
  ]),
);

const usd = { mustBe: 'a price in USD such as "1.5"' };
const price = (of: string, example: string) =>
  optional(
    Type.Union(
      [
        Type.String({ pattern: String.raw`^\d{1,9}(\.\d{1,18})?$`, ...usd }),
        Type.Number({ minimum: 0, exclusiveMaximum: measureMax, ...usd }),
      ],
      usd,
    ),
    `The highest price of ${of}, in USD.`,
    example,
  );

const provider = Type.Object(
  {
    sort: optional(
      Type.Union([
        sortKey,
        Type.Object({
          by: optional(sortKey, 'The measure that endpoints are sorted by.'),
          partition: optional(
            oneOf('model', 'none'),
            'Whether endpoints are sorted within each model or over all.',
          ),
        }),
      ]),
      'How endpoints are sorted.',
    ),
    order: field(providers, 'Providers in the order in which they are tried.', ['openai']),
    only: field(providers, 'Providers that may serve, and no others.', ['openai']),
    ignore: field(providers, 'Providers that must not serve.', ['azure']),
    allow_fallbacks: optional(flag, 'Whether endpoints beside the named ones may serve.'),
    require_parameters: optional(
      flag,
      'Whether an endpoint must know every option of the request.',
      false,
    ),
    data_collection: optional(
      oneOf('allow', 'deny'),
      'Whether providers that keep prompts may serve.',
      'deny',
    ),
    zdr: optional(flag, 'Whether an endpoint must retain nothing.'),
    enforce_distillable_text: optional(
      flag,
      'Whether the output must be free for training.',
      false,
    ),
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
      'Quantizations that are acceptable.',
      ['fp8'],
    ),
    preferred_min_throughput: field(thresholds, 'Tokens per second that are preferred.', 50),
    preferred_max_latency: field(
      thresholds,
      'Time to the first token that is preferred, in seconds.',
      2,
    ),
    max_price: optional(
      Type.Object({
        prompt: price('a million tokens of input', '1.5'),
        completion: price('a million tokens of output', '6'),
        image: price('a picture of the input', '0.01'),
        audio: price('an audio input', '0.01'),
        request: price('a request', '0.1'),
      }),
      'The highest prices of an endpoint, in USD.',
    ),
  },
  { additionalProperties: false },
);
export type ProviderBody = Static<typeof provider>;

const model = text({ min: 1, max: limits.modelCharactersMax });

/** The choice of models and endpoints. */
export const preferenceFields = {
  provider: optional(provider, 'Which endpoints may serve, and in which order.'),
  route: optional(oneOf('fallback', 'sort'), 'How the models are tried.'),
  model: optional(model, 'Slug of the model.', 'sim/echo'),
  models: field(names(limits.modelCharactersMax), 'Models that are tried in turn, after `model`.', [
    'sim/echo',
  ]),
  preset: optional(model, 'Slug of a preset, whose fields the request gets.', 'fast'),
};
