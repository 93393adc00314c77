import {
  type Envelope,
  type KeyManagement,
  open,
  type Owner,
  seal,
  UnreadableEnvelope,
} from '@sluice/envelope';
import type { IssueCommand, NotedAttempt } from '../store/issue-attempts.ts';
import { type KeySecret, mintedKeySecret } from './key-secret.ts';

/**
 * The secret as it may be kept: it opens as that of this command and this key only. null when the key management
 * is away: the key is issued all the same, and its secret shown once.
 */
export async function sealKeptSecret(
  keyManagement: KeyManagement,
  command: IssueCommand,
  { secret, hash }: KeySecret,
): Promise<Envelope | null> {
  try {
    return await seal(keyManagement, ownerOf(command, hash), Buffer.from(secret));
  } catch {
    return null;
  }
}

/** The secret that an earlier attempt of the command has kept; undefined when there is none to be had. */
export async function openKeptSecret(
  keyManagement: KeyManagement,
  command: IssueCommand,
  { hash, sealed }: NotedAttempt,
): Promise<KeySecret | undefined> {
  if (!sealed) return undefined;
  try {
    const secret = await open(keyManagement, ownerOf(command, hash), sealed);
    return mintedKeySecret(Buffer.from(secret).toString());
  } catch (error) {
    // The key that it was sealed under is gone, and so is the secret.
    if (error instanceof UnreadableEnvelope) return undefined;
    throw error;
  }
}

function ownerOf({ accountId, commandId }: IssueCommand, hash: string): Owner {
  return { accountId, recordId: `issue/${commandId}/${hash}` };
}
