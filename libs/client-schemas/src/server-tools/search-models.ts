import { type Static, Type } from 'typebox';
import { integer, kindOf, optional } from '../fields.ts';

const resultsMax = 20;

/** `service:experimental__search_models` and its shorter name: finds models in the catalog. */
export const searchModelsTool = Type.Object({
  type: kindOf('service:experimental__search_models', 'service:search_models'),
  parameters: optional(
    Type.Object({
      max_results: optional(integer(1, resultsMax), 'Number of models that a search returns.', 5),
    }),
    'Settings of the tool.',
    {},
  ),
});

export type SearchModelsSettings = NonNullable<Static<typeof searchModelsTool>['parameters']>;
