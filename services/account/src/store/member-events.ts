import { eventCodec } from '@sluice/es';
import { memberStream } from '../domain/member/events.ts';

/** The storage format of the events of a member. */
export const memberEvents = eventCodec(memberStream);

/** Returns the id in the name of a member's stream. Neither of the two ids has a dot. */
export function memberId(accountId: string, userId: string): string {
  return `${accountId}.${userId}`;
}
