import type { Rejection } from '@sluice/errors';
import { canSay } from '@sluice/providers';
import type { Catalog } from '../catalog/catalog.ts';
import type { ResponsesRequest } from '../responses/request.ts';
import type { Candidate } from './candidate.ts';
import type { Plan } from './plan.ts';

/** Whom to try for a request, or why there is nobody. */
export function choose(
  catalog: Pick<Catalog, 'find'>,
  { model: id, inference }: Pick<ResponsesRequest, 'model' | 'inference'>,
): Plan | Rejection {
  const model = catalog.find(id);
  if (!model) return { rejected: 'model_not_found', message: `${id} is not a valid model ID` };
  const candidates: readonly Candidate[] = model.endpoints.map((endpoint) => ({ model, endpoint }));
  const [first, ...others] = candidates.filter(({ endpoint }) =>
    canSay(endpoint.endpoint, inference),
  );
  if (!first)
    return {
      rejected: 'not_found',
      message: `No endpoint of ${id} has the tools that the request names`,
    };
  const attempts = [first, ...others] as const;
  const order = attempts.map(({ endpoint }) => ({ endpointId: endpoint.id, reason: 'catalogue' }));
  return {
    requested: id,
    strategy: 'direct',
    attempts,
    explanation: { candidates, excluded: [], order },
  };
}
