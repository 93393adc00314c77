import { createHash } from 'node:crypto';
import { eventCodec } from '@sluice/es';
import { endUserStream } from '../domain/end-user/events.ts';

/** The storage format of the events of an end user. */
export const endUserEvents = eventCodec(endUserStream);

/** Returns the id in the name of the stream. The text of the user itself may hold any character. */
export function endUserId(accountId: string, user: string): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, user]))
    .digest('hex');
}
