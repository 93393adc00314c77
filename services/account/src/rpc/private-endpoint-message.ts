import type {
  ActiveEndpoint,
  EndpointValidation,
  PrivateEndpoint as EndpointMessage,
} from '@sluice/protos/sluice/account/v1/private_endpoint';
import type { Names } from '../commands/private-endpoints/endpoint-checks.ts';
import type { ValidatedEndpoint } from '../commands/private-endpoints/validate-private-endpoint.ts';
import type { PrivateEndpoint } from '../domain/private-endpoints/state.ts';
import type { PrivateEndpointRow } from '../queries/private-endpoints.ts';

/** Returns the endpoint of a command as a row of the read model. */
export function rowOf({ pricing, createdAt, ...endpoint }: PrivateEndpoint): PrivateEndpointRow {
  const { prompt: promptPrice, completion: completionPrice } = pricing;
  return { ...endpoint, promptPrice, completionPrice, createdAt: new Date(createdAt) };
}

export function endpointMessage(row: PrivateEndpointRow, names: Names): EndpointMessage {
  const model = names.models.get(row.modelPermaslug);
  const provider = names.providers.get(row.provider);
  return {
    ...upstreamOf(row),
    status: row.status,
    modelSlug: model?.slug,
    modelName: model?.title,
    providerName: provider?.title ?? row.providerName,
    isProviderKnown: provider !== undefined,
    createdAt: row.createdAt.toISOString(),
  };
}

export function activeMessage(row: PrivateEndpointRow): ActiveEndpoint {
  return { ...upstreamOf(row), providerName: row.providerName };
}

function upstreamOf(row: PrivateEndpointRow) {
  return {
    endpointId: row.endpointId,
    modelPermaslug: row.modelPermaslug,
    provider: row.provider,
    baseUrl: row.baseUrl ?? undefined,
    upstreamModelId: row.upstreamModelId,
    declaredZdr: row.declaredZdr ?? undefined,
    declaredRegion: row.declaredRegion ?? undefined,
    pricing: { prompt: row.promptPrice, completion: row.completionPrice },
  };
}

export function validationMessage({ passed, checks }: ValidatedEndpoint): EndpointValidation {
  return {
    passed,
    checks: checks.map(({ actualModel, upstreamMessage, upstreamStatus, ...check }) => ({
      ...check,
      actualModel,
      upstreamMessage,
      upstreamStatus,
    })),
  };
}
