import type { Principal } from '@sluice/inference-port';
import type { Credential } from './credential.ts';

/** Returns true if the credential is for the API key of the caller, and for the user that created it. */
export function isFor(
  { keyHashes, userIds }: Credential,
  { keyHash, creatorUserId }: Pick<Principal, 'keyHash' | 'creatorUserId'>,
): boolean {
  if (keyHashes && !keyHashes.has(keyHash)) return false;
  return !userIds || (creatorUserId !== undefined && userIds.has(creatorUserId));
}
