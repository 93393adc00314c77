import type { Position } from '@sluice/es';
import { eachAtOnce, type Projection, requireHeld } from '@sluice/read-model';
import { modelAliasesEvents } from '../store/model-aliases-events.ts';
import { presetEvents } from '../store/preset-events.ts';
import { publishWorkspaceChange, type WorkspaceChangeBus } from './publish-workspace-changes.ts';

/** A batch is applied again when its notices are not stored after this time. */
const storedMsMax = 5_000;
const atOnceMax = 16;

export interface RouteChangesDependencies {
  readonly bus: WorkspaceChangeBus;
  /** Resolves with false when the read models do not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/**
 * Publishes that the aliases or presets of an account changed, once the read models show it, also when the process that
 * made the change died before it could. Throws while the bus is away.
 */
export function publishRouteChanges({ bus, projected }: RouteChangesDependencies): Projection {
  return {
    projection: 'workspace.publish_route_changes',
    version: 1,
    streamPrefixes: [modelAliasesEvents.streamPrefix, presetEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      await requireHeld(projected, events);
      const accountIds = new Set(
        events.map((recorded) => {
          const isPreset = recorded.stream.startsWith(presetEvents.streamPrefix);
          const codec = isPreset ? presetEvents : modelAliasesEvents;
          return codec.decode(recorded).data.accountId;
        }),
      );
      await eachAtOnce(accountIds, atOnceMax, (accountId) =>
        publishWorkspaceChange(bus, { accountId }, { timeoutMs: storedMsMax }),
      );
    },
  };
}
