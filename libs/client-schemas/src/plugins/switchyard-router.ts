import { Type } from 'typebox';
import { oneOf, optional } from '../fields.ts';
import { idOf } from './plugin-fields.ts';

/** Settings of `service/switchyard`. */
export const switchyardRouter = Type.Object({
  id: idOf('switchyard-router'),
  algorithm: optional(
    oneOf('capability', 'stage', 'auto', 'random', 'composite', 'passthrough'),
    'How the router chooses between its two candidates.',
  ),
});
