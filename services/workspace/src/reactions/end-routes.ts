import { derivedId } from '@sluice/clock-and-ids';
import { requireAccepted } from '@sluice/errors';
import { type EventStore, type RecordedEvent, systemContext } from '@sluice/es';
import type { AccountReads, Projection } from '@sluice/read-model';
import { listPresets } from '../queries/preset-rows.ts';
import { modelAliasesEvents } from '../store/model-aliases-events.ts';
import { presetEvents } from '../store/preset-events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

const presetsMax = 1_000;

/**
 * Archives the presets of a deleted workspace, and deletes its aliases. The ids of the commands are functions of the
 * deletion, so that a process that died on the way goes on where it stopped.
 */
export function endRoutes({
  eventStore,
  readModel,
}: {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
}): Projection {
  const handleAliases = modelAliasesEvents.handler(eventStore);
  const handlePreset = presetEvents.handler(eventStore);
  async function end(recorded: RecordedEvent): Promise<void> {
    const event = workspaceEvents.decode(recorded);
    if (event.type !== 'WorkspaceDeleted') return;
    const workspaceId = workspaceEvents.idOf(recorded.stream);
    const { state } = await workspaceEvents.load(eventStore, workspaceId);
    if (state.kind !== 'deleted') return;
    const of = { accountId: state.accountId, workspaceId, occurredAt: event.data.changedAt };
    const context = (name: string) =>
      systemContext('workspace', {
        commandId: derivedId('end routes', recorded.id, name),
        cause: 'deletion',
        occurredAt: of.occurredAt,
      });
    const clear = { type: 'ClearModelAliases', ...of } as const;
    requireAccepted(await handleAliases(of.accountId, clear, context('aliases')));
    const presets = await listPresets(readModel, { ...of, offset: 0, limit: presetsMax });
    for (const { presetId } of presets) {
      const changes = { status: 'archived' } as const;
      const archive = {
        type: 'UpdatePreset',
        ...of,
        changes,
        designatedVersion: undefined,
      } as const;
      requireAccepted(await handlePreset(presetId, archive, context(presetId)));
    }
  }
  return {
    projection: 'workspace.end_routes',
    version: 1,
    streamPrefixes: [workspaceEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) await end(recorded);
    },
  };
}
