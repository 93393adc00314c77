import { createHash } from 'node:crypto';
import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { endUser } from '../domain/end-user/decide.ts';
import { endUserStream } from '../domain/end-user/events.ts';

/** The events of end users, those of each end user under `endUserId`. */
export const endUserEvents = aggregateEvents(endUser, endUserStream);

/** Returns the id in the name of the stream. The text of the user itself may hold any character. */
export function endUserId(accountId: string, user: string): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, user]))
    .digest('hex');
}
