import { createHash } from 'node:crypto';
import { eventCodec } from '@sluice/es';
import type { EndUserEvent } from '../domain/end-user/events.ts';

/** How the events of an end user lie in streams `endUser-<SHA-256 of the account id and the user>`. */
export const endUserEvents = eventCodec<EndUserEvent>({
  current: { EndUserRegistered: 1, EndUserDeactivated: 1, EndUserReactivated: 1 },
});

export const endUserStreamPrefix = 'endUser-';

/** Returns the id in the name of the stream. The text of the user itself may hold any character. */
export function endUserId(accountId: string, user: string): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, user]))
    .digest('hex');
}
