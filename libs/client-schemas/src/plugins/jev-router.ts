import { Type } from 'typebox';
import { optional } from '../fields.ts';
import {
  allowed_models,
  arePatternsWithin,
  excluded_models,
  idOf,
  patterns,
  patternsTooMany,
  slug,
} from './plugin-fields.ts';

/** Settings of `service/jev-router`. `allowed_models` are further `models`. */
export const jevRouter = Type.Refine(
  Type.Object(
    {
      id: idOf('jev-router'),
      cost_tier: optional(slug, 'The band of costs from which a model is chosen.', 'low'),
      models: patterns('Patterns of the models that are chosen from.'),
      allowed_models,
      excluded_models,
    },
    { ruleField: 'allowed_models' },
  ),
  ({ models, allowed_models: allowed }) => arePatternsWithin(models, allowed),
  () => `together with models ${patternsTooMany}`,
);
