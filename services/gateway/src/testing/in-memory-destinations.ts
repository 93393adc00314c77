import type { Clock } from '@sluice/clock-and-ids';
import {
  type AnyConfig,
  type DestinationType,
  maskConfig,
  mergeConfig,
} from '@sluice/destinations';
import { Fault } from '@sluice/errors';
import type { Destination } from '@sluice/protos/sluice/workspace/v1/destination';
import type { DestinationCalls } from '../clients/calls.ts';
import { present } from '../clients/present.ts';

interface Kept {
  readonly destination: Destination;
  readonly config: AnyConfig;
}

/** The workspace service's calls about destinations over a map. It checks nothing. */
export function inMemoryDestinations(clock: Clock, defaultWorkspaceId: string): DestinationCalls {
  const all = new Map<string, Kept>();
  const own = (accountId: string, destinationId: string): Kept => {
    const kept = all.get(destinationId);
    if (kept?.destination.accountId !== accountId) throw new Fault('not_found');
    return kept;
  };
  const put = (destination: Omit<Destination, 'maskedConfig' | 'updatedAt'>, config: AnyConfig) => {
    const masked = maskConfig(destination.type as DestinationType, config);
    const updatedAt = clock.now().toISOString();
    const kept = { ...destination, maskedConfig: JSON.stringify(masked), updatedAt };
    all.set(kept.destinationId, { destination: kept, config });
    return { destination: kept };
  };
  return {
    createDestination: async ({ context, workspaceId, type, config, settings }) =>
      put(
        {
          destinationId: context?.commandId ?? '',
          accountId: context?.accountId ?? '',
          workspaceId: workspaceId || defaultWorkspaceId,
          type,
          settings,
          createdAt: clock.now().toISOString(),
        },
        JSON.parse(config) as AnyConfig,
      ),
    async updateDestination({ context, destinationId, config, ...changes }) {
      const { destination, config: before } = own(context?.accountId ?? '', destinationId);
      const settings = present(destination.settings);
      const { name, apiKeys, filterRules, regions } = changes;
      const type = destination.type as DestinationType;
      const merged =
        config === undefined ? before : mergeConfig(type, before, JSON.parse(config) as AnyConfig);
      return put(
        {
          ...destination,
          settings: {
            ...settings,
            name: name ? name.name : settings.name,
            enabled: changes.enabled ?? settings.enabled,
            privacyMode: changes.privacyMode ?? settings.privacyMode,
            samplingRate: changes.samplingRate ?? settings.samplingRate,
            apiKeys: apiKeys ? apiKeys.keys : settings.apiKeys,
            filterRules: filterRules ? filterRules.filterRules : settings.filterRules,
            regions: regions.length > 0 ? regions : settings.regions,
          },
        },
        merged,
      );
    },
    async deleteDestination({ context, destinationId }) {
      all.delete(own(context?.accountId ?? '', destinationId).destination.destinationId);
      return {};
    },
    getDestination: async ({ accountId, destinationId }) => ({
      destination: own(accountId, destinationId).destination,
    }),
    async listDestinations({ accountId, offset, limit }) {
      const found = [...all.values()]
        .map(({ destination }) => destination)
        .filter((one) => one.accountId === accountId);
      return {
        destinations: found.slice(offset, offset + limit),
        totalCount: BigInt(found.length),
      };
    },
  };
}
