import { derivedId } from '@sluice/clock-and-ids';
import {
  type CommandContext,
  type EventStore,
  type RecordedEvent,
  systemContext,
} from '@sluice/es';
import type { WorkspaceEvent } from '../domain/workspace/events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

export interface DeletedWorkspace {
  /** The fields of each command that follows. */
  readonly values: {
    readonly accountId: string;
    readonly workspaceId: string;
    readonly occurredAt: string;
  };
  /**
   * Returns the context of a command. Its id is a function of the deletion, so that a process that died on the way goes
   * on where it stopped.
   */
  readonly contextOf: (step: string, ...parts: readonly string[]) => CommandContext;
}

/** Returns undefined for an event that deletes no workspace. */
export async function deletedWorkspace(
  eventStore: EventStore,
  event: WorkspaceEvent,
  { id, stream }: RecordedEvent,
): Promise<DeletedWorkspace | undefined> {
  if (event.type !== 'WorkspaceDeleted') return undefined;
  const workspaceId = workspaceEvents.idOf(stream);
  const { state } = await workspaceEvents.load(eventStore, workspaceId);
  if (state.kind !== 'deleted') return undefined;
  const occurredAt = event.data.changedAt;
  return {
    values: { accountId: state.accountId, workspaceId, occurredAt },
    contextOf(step, ...parts) {
      const commandId = derivedId(step, id, ...parts);
      return systemContext('workspace', { commandId, cause: 'deletion', occurredAt });
    },
  };
}
