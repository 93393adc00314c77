import {
  type DirectoryFollower,
  followDirectoryFacts,
  requireWellFormed,
  subjectFilters,
} from '@sluice/bus';
import { isKeyHash, isPlainId, isUuid } from '@sluice/clock-and-ids';
import {
  KeyDeleted,
  MemberDeactivated,
  WorkspaceDeleted,
  WorkspaceMemberRemoved,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import {
  type Cause,
  type ConsequenceDependencies,
  directoryConsequences,
} from '../commands/directory-consequences.ts';

/**
 * Disables the keys of members and workspaces that are gone, erases the credentials of such workspaces,
 * and takes deleted keys off the lists of credentials, until the signal aborts. A fact is acknowledged
 * when all that follows from it is in the log.
 */
export async function followDirectory(
  follower: DirectoryFollower & ConsequenceDependencies,
): Promise<void> {
  const consequences = directoryConsequences(follower);
  await followDirectoryFacts(follower, [
    {
      durable: 'key-member-deactivated',
      filter: subjectFilters.memberDeactivated,
      async handle(data) {
        const fact = MemberDeactivated.fromJSON(data);
        const { accountId, userId: creatorUserId } = fact;
        requireWellFormed(isPlainId(accountId) && isPlainId(creatorUserId));
        const keys = { accountId, workspaceId: null, creatorUserId };
        await consequences.disableKeys(keys, causeOf(fact));
      },
    },
    {
      durable: 'key-workspace-deleted',
      filter: subjectFilters.workspaceDeleted,
      async handle(data) {
        const fact = WorkspaceDeleted.fromJSON(data);
        const { accountId, workspaceId } = fact;
        requireWellFormed(isPlainId(accountId) && isUuid(workspaceId));
        const cause = causeOf(fact);
        await consequences.disableKeys({ accountId, workspaceId, creatorUserId: null }, cause);
        await consequences.deleteCredentials(accountId, workspaceId, cause);
      },
    },
    {
      durable: 'key-workspace-member-removed',
      filter: subjectFilters.workspaceMemberRemoved,
      async handle(data) {
        const fact = WorkspaceMemberRemoved.fromJSON(data);
        const { accountId, workspaceId, userId: creatorUserId } = fact;
        requireWellFormed(isPlainId(accountId) && isUuid(workspaceId) && isPlainId(creatorUserId));
        const keys = { accountId, workspaceId, creatorUserId };
        await consequences.disableKeys(keys, causeOf(fact));
      },
    },
    {
      durable: 'key-key-deleted',
      filter: subjectFilters.keyDeleted,
      async handle(data) {
        const fact = KeyDeleted.fromJSON(data);
        const { accountId, keyHash } = fact;
        requireWellFormed(isPlainId(accountId) && isKeyHash(keyHash));
        await consequences.forgetKey(accountId, keyHash, causeOf(fact));
      },
    },
  ]);
}

function causeOf({ factId, occurredAt }: Cause): Cause {
  requireWellFormed(factId !== '' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(occurredAt));
  return { factId, occurredAt };
}
