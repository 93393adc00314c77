import type { AnyConfig, FilterRules } from '@sluice/destinations';
import type { Destination } from '@sluice/protos/sluice/workspace/v1/destination';
import { present } from '../../clients/present.ts';
import type { DestinationView } from './schema.ts';

/** The public form of a destination: of its secrets only the ends. */
export function destinationView(sent: Destination | undefined): DestinationView {
  const destination = present(sent);
  const settings = present(destination.settings);
  const { filterRules } = settings;
  return {
    id: destination.destinationId,
    type: destination.type as DestinationView['type'],
    name: settings.name ?? null,
    workspace_id: destination.workspaceId,
    enabled: settings.enabled,
    config: JSON.parse(destination.maskedConfig) as AnyConfig,
    privacy_mode: settings.privacyMode,
    sampling_rate: settings.samplingRate,
    api_key_hashes: settings.apiKeys ? [...settings.apiKeys.hashes] : null,
    filter_rules: filterRules === undefined ? null : (JSON.parse(filterRules) as FilterRules),
    broadcast_generation_cost: settings.broadcastGenerationCost,
    broadcast_generation_identity: settings.broadcastGenerationIdentity,
    broadcast_generation_request_context: settings.broadcastGenerationRequestContext,
    regions: [...settings.regions] as DestinationView['regions'],
    created_at: destination.createdAt,
    updated_at: destination.updatedAt,
  };
}
