import type {
  CreatePrivateEndpointRequest,
  ReconfigurePrivateEndpointRequest,
} from '@sluice/protos/sluice/account/v1/private_endpoint';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { CreateEndpointBody, UpdateEndpointBody } from './schema.ts';

export function createEndpointRequest(
  body: CreateEndpointBody,
  context: CommandContext,
  idempotencyKey: string,
): CreatePrivateEndpointRequest {
  return {
    context,
    modelPermaslug: body.model_permaslug,
    provider: body.provider_slug,
    upstreamModelId: body.upstream_model_id,
    baseUrl: body.base_url,
    declaredZdr: body.declared_zdr ?? undefined,
    declaredRegion: body.declared_region ?? undefined,
    pricing: body.pricing,
    activateWorkspaceId: body.activate?.workspace_id,
    idempotencyKey,
  };
}

export function updateEndpointRequest(
  body: UpdateEndpointBody,
  endpointId: string,
  context: CommandContext,
): ReconfigurePrivateEndpointRequest {
  const { declared_zdr: zdr, declared_region: region } = body;
  return {
    context,
    endpointId,
    upstreamModelId: body.upstream_model_id,
    baseUrl: body.base_url,
    declaredZdr: zdr === undefined ? undefined : { declaredZdr: zdr ?? undefined },
    declaredRegion: region === undefined ? undefined : { declaredRegion: region ?? undefined },
  };
}
