import { requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { type AccountReads, type Projection, streamReaction } from '@sluice/read-model';
import { listPresets } from '../queries/preset-rows.ts';
import { modelAliasesEvents } from '../store/model-aliases-events.ts';
import { presetEvents } from '../store/preset-events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';
import { deletedWorkspace } from './deleted-workspace.ts';

const presetsMax = 1_000;

/** Archives the presets of a deleted workspace, and deletes its aliases. */
export function endRoutes({
  eventStore,
  readModel,
}: {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
}): Projection {
  const handleAliases = modelAliasesEvents.handler(eventStore);
  const handlePreset = presetEvents.handler(eventStore);
  const facts = { projection: 'workspace.end_routes', version: 1 };
  return streamReaction(workspaceEvents, facts, async (event, recorded) => {
    const deleted = await deletedWorkspace(eventStore, event, recorded);
    if (!deleted) return;
    const { values, contextOf } = deleted;
    const clear = { type: 'ClearModelAliases', ...values } as const;
    const context = contextOf('end routes', 'aliases');
    requireAccepted(await handleAliases(values.accountId, clear, context));
    const presets = await listPresets(readModel, { ...values, offset: 0, limit: presetsMax });
    const changes = { status: 'archived' } as const;
    const given = { ...values, changes, designatedVersion: undefined };
    const archive = { type: 'UpdatePreset', ...given } as const;
    for (const { presetId } of presets)
      requireAccepted(await handlePreset(presetId, archive, contextOf('end routes', presetId)));
  });
}
