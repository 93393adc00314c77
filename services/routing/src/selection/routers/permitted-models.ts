import type { Model } from '@sluice/catalog';
import { pricedAt } from '../candidate.ts';
import { type Priced, pricedModels } from './priced-models.ts';
import type { RouterKnowledge } from './router.ts';

/** Returns the models with the endpoints that the guardrails of the caller permit. A model without one is left out. */
export function permittedModels(
  models: readonly Model[],
  { permits, now }: Pick<RouterKnowledge, 'permits' | 'now'>,
): readonly Priced[] {
  return pricedModels(
    models.flatMap((model) =>
      model.endpoints
        .filter((endpoint) => permits(model, endpoint))
        .map((endpoint) => ({ model, endpoint: pricedAt(endpoint, now) })),
    ),
  );
}
