import type { BusMessage } from '@sluice/bus';
import { GenerationContents } from '@sluice/protos/sluice/generation/v1/generation_events';
import { isInstant } from '@sluice/usage-facts';
import type { LoggedContents } from '../domain/logged-contents.ts';
import { isOf, isToken } from './read-parts.ts';

const ciphertextBytesMax = 512 * 1_024;

/** Returns undefined for a message that cannot be read. */
export function readContents({ data, subject }: BusMessage): LoggedContents | undefined {
  try {
    const message = GenerationContents.fromJSON(data);
    const { accountId, workspaceId, generationId, userId, endedAt, contents: sealed } = message;
    if (!isOf(message, subject) || !isInstant(endedAt) || (userId !== '' && !isToken(userId)))
      return undefined;
    if (!sealed || sealed.ciphertext.length > ciphertextBytesMax) return undefined;
    return { accountId, workspaceId, generationId, userId, sealed };
  } catch {
    return undefined;
  }
}
