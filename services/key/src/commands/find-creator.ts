import { invalidValue } from '@sluice/errors';
import type { Directory } from './directory.ts';

export interface WantedCreator {
  readonly accountId: string;
  /** If undefined, the key is a management key, which belongs to the account and to no workspace. */
  readonly workspaceId: string | undefined;
  /** null: the request names none. */
  readonly userId: string | null;
}

/**
 * Returns the creator of a new key; null when it has none. In a personal account it is the owner; in an
 * organization, a member of both the organization and the workspace. Throws invalid_request for any other user.
 */
export async function findCreator(
  directory: Directory,
  { accountId, workspaceId, userId }: WantedCreator,
): Promise<string | null> {
  const { isPersonal, ownerUserId } = await directory.account(accountId);
  if (isPersonal) {
    if (userId === null || userId === ownerUserId) return ownerUserId;
    throw refused('must be the owner of this personal account, or null');
  }
  if (userId === null) return null;
  const [members, workspaceMembers] = await Promise.all([
    directory.members(accountId, [userId]),
    workspaceId === undefined
      ? [userId]
      : directory.workspaceMembers(accountId, workspaceId, [userId]),
  ]);
  if (!members.some((member) => member.userId === userId && member.isActive))
    throw refused('is no member of this organization');
  if (!workspaceMembers.includes(userId)) throw refused(noMember);
  return userId;
}

/**
 * Asks the log after a key was issued. Throws the same if the creator was removed from the workspace meanwhile: a
 * reaction then disables the key.
 */
export async function assertStillMember(
  directory: Pick<Directory, 'workspaceHasMember'>,
  { accountId, workspaceId, userId }: WantedCreator & { readonly workspaceId: string },
): Promise<void> {
  if (userId === null) return;
  if (await directory.workspaceHasMember(accountId, workspaceId, userId)) return;
  throw refused(noMember);
}

const noMember = 'is no member of this workspace';

function refused(message: string) {
  return invalidValue('creator_user_id', message);
}
