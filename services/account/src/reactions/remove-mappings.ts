import { type Bus, type BusMessage, directoryStream, subjectFilters } from '@sluice/bus';
import { isRejection, rejectionToFault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { WorkspaceDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { derivedId } from '@sluice/clock-and-ids';
import { scimDirectoryHandler } from '../store/scim-handlers.ts';

export interface RemoveMappingsDependencies {
  readonly bus: Pick<Bus, 'consume' | 'ensureStream'>;
  readonly eventStore: EventStore;
  readonly signal: AbortSignal;
}

const batchMax = 50;

/**
 * A workspace that was deleted has no mappings any more. Runs until the signal aborts. A fact is
 * acknowledged when what follows from it is in the log; one that comes again changes nothing.
 */
export async function removeMappings(dependencies: RemoveMappingsDependencies): Promise<void> {
  const { bus, eventStore, signal } = dependencies;
  await bus.ensureStream(directoryStream);
  await bus.consume({
    stream: directoryStream.name,
    durable: 'account-remove-mappings',
    filter: subjectFilters.workspaceDeleted,
    batchMax,
    signal,
    async handle(messages: readonly BusMessage[]) {
      for (const { data } of messages) await remove(eventStore, WorkspaceDeleted.fromJSON(data));
    },
  });
}

async function remove(
  eventStore: EventStore,
  { factId, accountId, workspaceId, occurredAt }: WorkspaceDeleted,
): Promise<void> {
  const commandId = derivedId('remove mappings', factId);
  const handled = await scimDirectoryHandler(eventStore)(
    accountId,
    { type: 'RemoveWorkspaceMappings', accountId, workspaceId, occurredAt },
    {
      commandId,
      requestId: `deletion-${commandId}`,
      occurredAt,
      actor: { type: 'system', id: 'account' },
    },
  );
  if (isRejection(handled)) throw rejectionToFault(handled);
}
