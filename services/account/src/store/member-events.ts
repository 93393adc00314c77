import { eventCodec } from '@sluice/es';
import type { MemberEvent } from '../domain/member/events.ts';

/** How the events of a member lie in streams `member-<account id>.<user id>`. */
export const memberEvents = eventCodec<MemberEvent>({
  current: { MemberJoined: 1, MemberRoleChanged: 1, MemberDeactivated: 1, MemberReactivated: 1 },
});

export const memberStreamPrefix = 'member-';

/** Returns the id in the name of a member's stream. Neither of the two ids has a dot. */
export function memberId(accountId: string, userId: string): string {
  return `${accountId}.${userId}`;
}
