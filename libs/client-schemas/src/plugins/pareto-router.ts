import { Type } from 'typebox';
import { number, oneOf, optional } from '../fields.ts';
import { enabled, idOf } from './plugin-fields.ts';

/** Settings of `service/pareto-code`. */
export const paretoRouter = Type.Object({
  id: idOf('pareto-router'),
  enabled,
  min_coding_score: optional(number(0, 1), 'The least score of a model, from 0 to 1.', 0.5),
  max_price: optional(number(0), 'The highest price of a million tokens of input, in USD.', 5),
  price_source: optional(
    oneOf('prompt', 'weighted_avg'),
    'The price that the highest one is compared with.',
  ),
});
