import { accountNotice, type Bus, reactionNotice, subjects } from '@sluice/bus';
import type { EventStore, Position, RecordedEvent } from '@sluice/es';
import { DestinationsChanged } from '@sluice/protos/sluice/workspace/v1/workspace_events';
import { eachAtOnce, type Projection, requireHeld } from '@sluice/read-model';
import type { DestinationEvent } from '../domain/destinations/events.ts';
import { destinationEvents } from '../store/destination-events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

const atOnceMax = 16;

/**
 * Notifies the processes that cache destinations. `isRevoked`: one of them was deleted or disabled, or has another
 * config.
 */
export const publishDestinationChange = accountNotice(
  DestinationsChanged,
  subjects.destinationsChanged,
);

export interface DestinationChangesDependencies {
  readonly bus: Pick<Bus, 'publishNotice'>;
  readonly eventStore: EventStore;
  /** Resolve with false when the read model of destinations or of workspaces does not hold the position in time. */
  readonly destinationsHeld: (position: Position) => Promise<boolean>;
  readonly workspacesHeld: (position: Position) => Promise<boolean>;
}

/**
 * Publishes each change of destinations, and of the broadcast switch of a workspace, once the read models show it, also
 * when the process that made the change died before it could. Throws while the bus is away.
 */
export function publishDestinationChanges({
  bus,
  eventStore,
  destinationsHeld,
  workspacesHeld,
}: DestinationChangesDependencies): Projection {
  const publish = (change: DestinationsChanged) =>
    publishDestinationChange(bus, change, reactionNotice);
  return {
    projection: 'workspace.publish_destination_changes',
    version: 1,
    streamPrefixes: [destinationEvents.streamPrefix, workspaceEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      const ofDestinations = events.filter(isOfDestinations);
      const switches = events.filter((recorded) => !isOfDestinations(recorded) && turns(recorded));
      // A read model only comes to the positions of its own streams.
      await requireHeld(destinationsHeld, ofDestinations);
      await requireHeld(workspacesHeld, switches);
      const changes = new Map<string, boolean>();
      for (const recorded of ofDestinations) {
        const accountId = destinationEvents.idOf(recorded.stream);
        const isRevoked = changes.get(accountId) ?? false;
        changes.set(accountId, isRevoked || revokes(destinationEvents.decode(recorded)));
      }
      for (const { stream } of switches) {
        const { state } = await workspaceEvents.load(eventStore, workspaceEvents.idOf(stream));
        if (state.kind !== 'none') changes.set(state.accountId, true);
      }
      await eachAtOnce(changes, atOnceMax, ([accountId, isRevoked]) =>
        publish({ accountId, isRevoked }),
      );
    },
    async applySetAside(_connection, streams) {
      const own = streams.filter((stream) => stream.startsWith(destinationEvents.streamPrefix));
      for (const accountId of own.map(destinationEvents.idOf))
        await publish({ accountId, isRevoked: true });
    },
  };
}

function isOfDestinations({ stream }: Pick<RecordedEvent, 'stream'>): boolean {
  return stream.startsWith(destinationEvents.streamPrefix);
}

/** Returns true for an event that may change whether a workspace sends to destinations. */
function turns(recorded: RecordedEvent): boolean {
  const event = workspaceEvents.decode(recorded);
  if (event.type === 'WorkspaceDeleted') return true;
  if (event.type !== 'WorkspaceUpdated') return false;
  return event.data.changes.isObservabilityBroadcastEnabled !== undefined;
}

function revokes(event: DestinationEvent): boolean {
  return event.type !== 'DestinationCreated';
}
