import type { Plan } from './plan.ts';

const endpointsMax = 50;

/** How a plan came to be, as the record of its generation keeps it: JSON of at most 50 endpoints. */
export function routingText({ requestedModels, strategy, explanation }: Plan): string {
  const { candidates, excluded, order } = explanation;
  return JSON.stringify({
    requested: requestedModels,
    strategy,
    candidates: candidates.slice(0, endpointsMax).map(({ model, endpoint }) => ({
      endpoint_id: endpoint.id,
      model: model.id,
      provider: endpoint.endpoint.provider,
      tag: endpoint.tag,
    })),
    excluded: excluded
      .slice(0, endpointsMax)
      .map(({ endpointId, filter }) => ({ endpoint_id: endpointId, filter })),
    order: order
      .slice(0, endpointsMax)
      .map(({ endpointId, reason }) => ({ endpoint_id: endpointId, reason })),
  });
}
