import { type Bus, reactionNotice } from '@sluice/bus';
import type { Position } from '@sluice/es';
import { eachAtOnce, type Projection, requireHeld } from '@sluice/read-model';
import { modelAliasesEvents } from '../store/model-aliases-events.ts';
import { presetEvents } from '../store/preset-events.ts';
import { publishWorkspaceChange } from './publish-workspace-changes.ts';

const atOnceMax = 16;

export interface RouteChangesDependencies {
  readonly bus: Pick<Bus, 'publishNotice'>;
  /** Resolve with false when the read model of the aliases or of the presets does not hold the position in time. */
  readonly aliasesHeld: (position: Position) => Promise<boolean>;
  readonly presetsHeld: (position: Position) => Promise<boolean>;
}

/**
 * Publishes that the aliases or presets of an account changed, once the read models show it, also when the process that
 * made the change died before it could. Throws while the bus is away.
 */
export function publishRouteChanges({
  bus,
  aliasesHeld,
  presetsHeld,
}: RouteChangesDependencies): Projection {
  return {
    projection: 'workspace.publish_route_changes',
    version: 1,
    streamPrefixes: [modelAliasesEvents.streamPrefix, presetEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      const isOfPreset = ({ stream }: { readonly stream: string }) =>
        stream.startsWith(presetEvents.streamPrefix);
      // A read model only comes to the positions of its own streams.
      const ofPresets = events.filter(isOfPreset);
      const ofAliases = events.filter((recorded) => !isOfPreset(recorded));
      await requireHeld(presetsHeld, ofPresets);
      await requireHeld(aliasesHeld, ofAliases);
      const accountIds = new Set([
        ...ofPresets.map((recorded) => presetEvents.decode(recorded).data.accountId),
        ...ofAliases.map((recorded) => modelAliasesEvents.decode(recorded).data.accountId),
      ]);
      await eachAtOnce(accountIds, atOnceMax, (accountId) =>
        publishWorkspaceChange(bus, { accountId }, reactionNotice),
      );
    },
  };
}
