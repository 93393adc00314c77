import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type {
  CreateDestinationRequest,
  UpdateDestinationRequest,
} from '@sluice/protos/sluice/workspace/v1/destination';
import type { CreateDestinationBody, UpdateDestinationBody } from './schema.ts';

/** `POST /observability/destinations` → the command. */
export function createDestinationRequest(
  body: CreateDestinationBody,
  context: CommandContext,
): CreateDestinationRequest {
  return {
    context,
    workspaceId: body.workspace_id ?? '',
    type: body.type,
    config: JSON.stringify(body.config),
    settings: {
      name: body.name ?? undefined,
      enabled: body.enabled ?? true,
      privacyMode: body.privacy_mode ?? false,
      samplingRate: body.sampling_rate ?? 1,
      apiKeys: body.api_key_hashes ? { hashes: [...body.api_key_hashes] } : undefined,
      filterRules: body.filter_rules ? JSON.stringify(body.filter_rules) : undefined,
      broadcastGenerationCost: body.broadcast_generation_cost ?? false,
      broadcastGenerationIdentity: body.broadcast_generation_identity ?? false,
      broadcastGenerationRequestContext: body.broadcast_generation_request_context ?? false,
      regions: regionsOf(body.regions ?? ['global']),
    },
  };
}

/** `PATCH /observability/destinations/{id}` → the command: a field that is left out stays as it is. */
export function updateDestinationRequest(
  body: UpdateDestinationBody,
  destinationId: string,
  context: CommandContext,
): UpdateDestinationRequest {
  const { name, config, api_key_hashes: hashes, filter_rules: rules, regions } = body;
  return {
    context,
    destinationId,
    config: config === undefined ? undefined : JSON.stringify(config),
    name: name === undefined ? undefined : { name: name ?? undefined },
    enabled: body.enabled,
    privacyMode: body.privacy_mode,
    samplingRate: body.sampling_rate,
    apiKeys:
      hashes === undefined ? undefined : { keys: hashes ? { hashes: [...hashes] } : undefined },
    filterRules:
      rules === undefined ? undefined : { filterRules: rules ? JSON.stringify(rules) : undefined },
    broadcastGenerationCost: body.broadcast_generation_cost,
    broadcastGenerationIdentity: body.broadcast_generation_identity,
    broadcastGenerationRequestContext: body.broadcast_generation_request_context,
    regions: regionsOf(regions ?? []),
  };
}

function regionsOf(given: readonly string[]): string[] {
  return given.map((region) => (region === 'eu' ? 'europe' : region));
}
