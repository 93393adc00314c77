import { Type } from 'typebox';
import { flag, integer, oneOf, optional } from '../fields.ts';
import { allowed_models, enabled, excluded_models, idOf } from './plugin-fields.ts';

const settings = {
  enabled,
  allowed_models,
  excluded_models,
  cost_tier: optional(
    oneOf('low', 'medium', 'high', 'xhigh', 'max'),
    'The band of costs from which a model is chosen.',
  ),
  cost_quality_tradeoff: optional(
    integer(0, 10),
    'The older form of `cost_tier`: higher is cheaper.',
    9,
  ),
};

/** Settings of `service/auto`. */
export const autoRouter = Type.Object({
  id: idOf('auto-router'),
  ...settings,
  pin_model: optional(flag, 'Whether later turns keep the model of the last answer.', false),
});

/** Settings of `service/auto-beta`. */
export const autoBetaRouter = Type.Object({ id: idOf('auto-beta-router'), ...settings });
