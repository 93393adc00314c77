import { givenFields } from '@sluice/es';
import type {
  Destination as DestinationMessage,
  DestinationSettings as SettingsMessage,
  UpdateDestinationRequest,
} from '@sluice/protos/sluice/workspace/v1/destination';
import type { DestinationSettings } from '../domain/destinations/events.ts';
import type { Destination } from '../domain/destinations/state.ts';
import type { DestinationRow } from '../queries/destination-row.ts';

export function fromDestination(destination: Destination): DestinationMessage {
  const { destinationType: type, config: maskedConfig, settings, ...same } = destination;
  return message({ ...same, ...settings, type, maskedConfig });
}

export function fromDestinationRow(row: DestinationRow): DestinationMessage {
  const { createdAt, updatedAt } = row;
  return message({
    ...row,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  });
}

export function settingsOf(sent: SettingsMessage | undefined): DestinationSettings {
  return {
    name: sent?.name ?? null,
    enabled: sent?.enabled ?? true,
    privacyMode: sent?.privacyMode ?? false,
    samplingRate: sent?.samplingRate ?? 1,
    apiKeyHashes: sent?.apiKeys?.hashes ?? null,
    filterRules: sent?.filterRules ?? null,
    broadcastGenerationCost: sent?.broadcastGenerationCost ?? false,
    broadcastGenerationIdentity: sent?.broadcastGenerationIdentity ?? false,
    broadcastGenerationRequestContext: sent?.broadcastGenerationRequestContext ?? false,
    regions: sent?.regions ?? [],
  };
}

/** A field that is left out stays as it is. */
export function changesOf(sent: UpdateDestinationRequest): Partial<DestinationSettings> {
  const { name, apiKeys, filterRules, regions } = sent;
  return givenFields({
    name: name && (name.name ?? null),
    enabled: sent.enabled,
    privacyMode: sent.privacyMode,
    samplingRate: sent.samplingRate,
    apiKeyHashes: apiKeys && (apiKeys.keys?.hashes ?? null),
    filterRules: filterRules && (filterRules.filterRules ?? null),
    regions: regions.length > 0 ? regions : undefined,
    broadcastGenerationCost: sent.broadcastGenerationCost,
    broadcastGenerationIdentity: sent.broadcastGenerationIdentity,
    broadcastGenerationRequestContext: sent.broadcastGenerationRequestContext,
  });
}

interface Shown extends Omit<DestinationRow, 'secretId' | 'createdAt' | 'updatedAt'> {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Named field by field: where the secret lies stays inside. */
function message(shown: Shown): DestinationMessage {
  return {
    destinationId: shown.destinationId,
    accountId: shown.accountId,
    workspaceId: shown.workspaceId,
    type: shown.type,
    maskedConfig: shown.maskedConfig,
    createdAt: shown.createdAt,
    updatedAt: shown.updatedAt,
    settings: {
      name: shown.name ?? undefined,
      enabled: shown.enabled,
      privacyMode: shown.privacyMode,
      samplingRate: shown.samplingRate,
      apiKeys: shown.apiKeyHashes ? { hashes: [...shown.apiKeyHashes] } : undefined,
      filterRules: shown.filterRules ?? undefined,
      broadcastGenerationCost: shown.broadcastGenerationCost,
      broadcastGenerationIdentity: shown.broadcastGenerationIdentity,
      broadcastGenerationRequestContext: shown.broadcastGenerationRequestContext,
      regions: [...shown.regions],
    },
  };
}
