import { Type } from 'typebox';
import { number, oneOf, optional } from '../fields.ts';
import { enabled, idOf } from './plugin-fields.ts';

/** Settings of `service/pareto-code`. */
export const paretoRouter = Type.Object({
  id: idOf('pareto-router'),
  enabled,
  min_coding_score: optional(
    number(0, 1),
    'Chooses the tier of coding scores: high from 0.66 on (the default), medium from 0.33 on, or low.',
    0.5,
  ),
  max_price: optional(
    number(0),
    'The highest price of a million tokens, in USD. It replaces the tiers.',
    5,
  ),
  price_source: optional(
    oneOf('prompt', 'weighted_avg'),
    'The price that decides: of the input, or of three tokens of input to one of output.',
  ),
});
