import { isPlainId } from '@sluice/clock-and-ids';
import { Fault, invalidValue, requireAccepted } from '@sluice/errors';
import type { EventStore, Position, WithoutContext } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import type { MemberCommand } from '../domain/member/commands.ts';
import type { KnownMember } from '../domain/member/state.ts';
import { accountEvents } from '../store/account-events.ts';
import { memberEvents, memberId } from '../store/member-events.ts';

/** A command without the fields of its context and its account. */
export type WantedMember = WithoutContext<MemberCommand, 'accountId' | 'isOwner' | 'occurredAt'>;

export interface ChangedMember {
  readonly member: KnownMember;
  readonly position: Position | undefined;
}

export type ChangeMember = ReturnType<typeof changeMember>;

/** Changes a member of an organization. Throws not_found for a personal account, which has none. */
export function changeMember(eventStore: EventStore) {
  const handle = memberEvents.handler(eventStore);
  return async (wanted: WantedMember, context: ReceivedContext): Promise<ChangedMember> => {
    const { accountId, occurredAt } = context;
    const { state: account } = await accountEvents.load(eventStore, accountId);
    if (account.kind === 'none' || account.opened.kind === 'personal') throw new Fault('not_found');
    // A malformed id must not become the name of a stream.
    const { userId } = wanted;
    if (!isPlainId(userId)) throw invalidValue('user_id', 'must be an id');
    const isOwner = account.opened.ownerUserId === userId;
    const command = { ...wanted, accountId, isOwner, occurredAt };
    const handled = requireAccepted(await handle(memberId(accountId, userId), command, context));
    const { state, position } = handled;
    if (state.status === 'none') throw new Fault('not_found');
    return { member: state, position };
  };
}
