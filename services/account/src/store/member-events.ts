import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { member } from '../domain/member/decide.ts';
import { memberStream } from '../domain/member/events.ts';

/** The events of members, those of each member under `memberId`. */
export const memberEvents = aggregateEvents(member, memberStream);

/** Returns the id in the name of a member's stream. Neither of the two ids has a dot. */
export function memberId(accountId: string, userId: string): string {
  return `${accountId}.${userId}`;
}
