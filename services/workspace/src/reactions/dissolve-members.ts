import { requireAccepted } from '@sluice/errors';
import { type EventStore, type RecordedEvent, systemContext } from '@sluice/es';
import type { Projection } from '@sluice/read-model';
import { derivedId } from '@sluice/clock-and-ids';
import { workspaceEvents } from '../store/workspace-events.ts';
import { workspaceMembersEvents } from '../store/workspace-members-events.ts';

/**
 * Removes all members of a deleted workspace. The command's id is a function of the
 * deletion: a process that died before its checkpoint moved changes nothing.
 */
export function dissolveMembers(eventStore: EventStore): Projection {
  const handleMembers = workspaceMembersEvents.handler(eventStore);
  async function dissolve(recorded: RecordedEvent): Promise<void> {
    const event = workspaceEvents.decode(recorded);
    if (event.type !== 'WorkspaceDeleted') return;
    const workspaceId = workspaceEvents.idOf(recorded.stream);
    const { state } = await workspaceEvents.load(eventStore, workspaceId);
    if (state.kind !== 'deleted') return;
    const { accountId } = state;
    const commandId = derivedId('dissolve members', recorded.id);
    const occurredAt = event.data.changedAt;
    requireAccepted(
      await handleMembers(
        workspaceId,
        { type: 'DissolveMembers', accountId, workspaceId, occurredAt },
        systemContext('workspace', { commandId, cause: 'deletion', occurredAt }),
      ),
    );
  }
  return {
    projection: 'workspace.dissolve_members',
    version: 1,
    streamPrefixes: [workspaceEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) await dissolve(recorded);
    },
  };
}
