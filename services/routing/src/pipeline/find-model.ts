import type { Rejection } from '@sluice/errors';
import { canSay } from '@sluice/providers';
import type { Catalog, Model } from '../catalog/catalog.ts';
import type { ResponsesRequest } from '../responses/request.ts';

/** The model that a request names, with those of its endpoints that can serve it. */
export function findModel(
  catalog: Pick<Catalog, 'find'>,
  { model: id, inference }: Pick<ResponsesRequest, 'model' | 'inference'>,
): Model | Rejection {
  const model = catalog.find(id);
  if (!model) return { rejected: 'model_not_found', message: `${id} is not a valid model ID` };
  const endpoints = model.endpoints.filter(({ endpoint }) => canSay(endpoint, inference));
  if (endpoints.length > 0) return { ...model, endpoints };
  return {
    rejected: 'not_found',
    message: `No endpoint of ${id} has the tools that the request names`,
  };
}
