import type { Projection } from '@sluice/read-model';
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
export function verifyNewCredentials(dependencies: VerifyNewCredentialsDependencies): Projection {
  const { directory, consequences } = dependencies;
  return {
    projection: 'key.verify_new_credentials',
    version: 1,
    streamPrefixes: [byokEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) {
        const event = byokEvents.decode(recorded);
        if (event.type !== 'ByokCredentialAdded') continue;
        const { accountId, workspaceId, addedAt: occurredAt } = event.data;
        if (await directory.workspaceIsAlive(accountId, workspaceId)) continue;
        await consequences.deleteCredentials(accountId, workspaceId, {
          factId: recorded.id,
          occurredAt,
        });
      }
    },
  };
}
