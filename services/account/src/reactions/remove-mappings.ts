import { type DirectoryFollower, followDirectoryFacts, subjectFilters } from '@sluice/bus';
import { derivedId } from '@sluice/clock-and-ids';
import { requireAccepted } from '@sluice/errors';
import { type EventStore, systemContext } from '@sluice/es';
import { WorkspaceDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { scimDirectoryEvents } from '../store/scim-directory-events.ts';

/**
 * Removes the mappings of a workspace that was deleted, until the signal aborts. The id of the command follows from the
 * fact: a fact that comes again changes nothing.
 */
export async function removeMappings(
  follower: DirectoryFollower & { readonly eventStore: EventStore },
): Promise<void> {
  const handleDirectory = scimDirectoryEvents.handler(follower.eventStore);
  await followDirectoryFacts(follower, [
    {
      durable: 'account-remove-mappings',
      filter: subjectFilters.workspaceDeleted,
      async handle(data) {
        const { factId, accountId, workspaceId, occurredAt } = WorkspaceDeleted.fromJSON(data);
        const commandId = derivedId('remove mappings', factId);
        const command = { type: 'RemoveWorkspaceMappings', accountId, workspaceId } as const;
        const context = systemContext('account', { commandId, cause: 'deletion', occurredAt });
        requireAccepted(await handleDirectory(accountId, { ...command, occurredAt }, context));
      },
    },
  ]);
}
