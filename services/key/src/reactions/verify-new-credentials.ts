import { type Projection, streamReaction } from '@sluice/read-model';
import type { Directory } from '../commands/directory.ts';
import type { DirectoryConsequences } from '../commands/directory-consequences.ts';
import { byokEvents } from '../store/byok-events.ts';

export interface VerifyNewCredentialsDependencies {
  readonly directory: Pick<Directory, 'workspaceIsAlive'>;
  readonly consequences: Pick<DirectoryConsequences, 'deleteCredentials'>;
}

/**
 * Deletes a credential whose workspace went while it was added. The deletion of a workspace takes along the
 * credentials that are in the log by then.
 */
export function verifyNewCredentials({
  directory,
  consequences,
}: VerifyNewCredentialsDependencies): Projection {
  const facts = { projection: 'key.verify_new_credentials', version: 1 };
  return streamReaction(byokEvents, facts, async (event, { id: factId }) => {
    if (event.type !== 'ByokCredentialAdded') return;
    const { accountId, workspaceId, addedAt: occurredAt } = event.data;
    if (await directory.workspaceIsAlive(accountId, workspaceId)) return;
    await consequences.deleteCredentials(accountId, workspaceId, { factId, occurredAt });
  });
}
