import { derivedId } from '@sluice/clock-and-ids';
import { requireAccepted } from '@sluice/errors';
import { type EventStore, type RecordedEvent, systemContext } from '@sluice/es';
import type { Projection } from '@sluice/read-model';
import { destinationEvents } from '../store/destination-events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

interface Gone {
  readonly workspaceId: string;
  readonly occurredAt: string;
}

/**
 * Disables the destinations of a deleted workspace, and one that was created while its workspace was deleted. The ids
 * of the commands are functions of the events, so that a process that died on the way goes on where it stopped.
 */
export function disableDestinations(eventStore: EventStore): Projection {
  const handle = destinationEvents.handler(eventStore);
  async function disable({ workspaceId, occurredAt }: Gone, cause: RecordedEvent): Promise<void> {
    const { state } = await workspaceEvents.load(eventStore, workspaceId);
    if (state.kind !== 'deleted') return;
    const context = systemContext('workspace', {
      commandId: derivedId('disable destinations', cause.id),
      cause: 'deletion',
      occurredAt,
    });
    const type = 'DisableDestinationsOfWorkspace' as const;
    const command = { type, workspaceId, occurredAt };
    requireAccepted(await handle(state.accountId, command, context));
  }
  return {
    projection: 'workspace.disable_destinations',
    version: 1,
    streamPrefixes: [workspaceEvents.streamPrefix, destinationEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) {
        const gone = mayBeGone(recorded);
        if (gone) await disable(gone, recorded);
      }
    },
  };
}

function mayBeGone(recorded: RecordedEvent): Gone | undefined {
  if (recorded.stream.startsWith(destinationEvents.streamPrefix)) {
    const event = destinationEvents.decode(recorded);
    if (event.type !== 'DestinationCreated') return undefined;
    return { workspaceId: event.data.workspaceId, occurredAt: event.data.createdAt };
  }
  const event = workspaceEvents.decode(recorded);
  if (event.type !== 'WorkspaceDeleted') return undefined;
  const workspaceId = workspaceEvents.idOf(recorded.stream);
  return { workspaceId, occurredAt: event.data.changedAt };
}
