import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import type { AccountServiceService, Member } from '@sluice/protos/sluice/account/v1/account';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { type AccountReads, type Shown } from '@sluice/read-model';
import { commandContext, type implement } from '@sluice/rpc';
import type { Clock } from '@sluice/clock-and-ids';
import { changeMember, type WantedMember } from '../commands/change-member.ts';
import type { KnownMember } from '../domain/member/state.ts';
import { findAccount } from '../queries/find-account.ts';
import { findMembers } from '../queries/find-members.ts';
import { listMembers } from '../queries/list-members.ts';
import type { MemberRow } from '../queries/member-row.ts';
import { pageOf } from './page.ts';

export interface MemberCallsDependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
  readonly clock: Clock;
  readonly shown: { readonly members: Shown };
}

type Handlers = Parameters<typeof implement<typeof AccountServiceService>>[1];

const userIdsMax = 100;

/** The calls of the account service that are about members. */
export function memberCalls({ eventStore, readModel, clock, shown }: MemberCallsDependencies) {
  const change = changeMember(eventStore);
  async function carryOut(wanted: WantedMember, sent: CommandContext | undefined) {
    const context = commandContext(sent, clock.now());
    const changed = await change(wanted, context);
    await shown.members(changed.position, context.signal);
    return { member: fromState(changed.member) };
  }
  return {
    async getMembers({ accountId, userIds }) {
      if (userIds.length === 0 || userIds.length > userIdsMax)
        throw rejectionToFault(
          invalidRequest([{ path: 'user_ids', message: `must be 1 to ${userIdsMax}` }]),
        );
      const account = await findAccount(readModel, accountId);
      if (!account) throw new Fault('not_found');
      if (account.kind === 'organization') {
        const found = await findMembers(readModel, accountId, userIds);
        return { members: found.map(fromRow) };
      }
      const { ownerUserId } = account;
      return { members: userIds.includes(ownerUserId) ? [onlyOwner(ownerUserId)] : [] };
    },
    async listMembers({ accountId, offset, limit }) {
      const found = await listMembers(readModel, { accountId, ...pageOf({ offset, limit }) });
      return { members: found.rows.map(fromRow), totalCount: found.totalCount };
    },
    joinMember: ({ context, userId, email, firstName = null, lastName = null, role }) =>
      carryOut({ type: 'JoinMember', userId, email, firstName, lastName, role }, context),
    changeMemberRole: ({ context, userId, role }) =>
      carryOut({ type: 'ChangeMemberRole', userId, role }, context),
    deactivateMember: ({ context, userId }) =>
      carryOut({ type: 'DeactivateMember', userId, by: 'administrator' }, context),
    reactivateMember: ({ context, userId }) =>
      carryOut({ type: 'ReactivateMember', userId, by: 'administrator' }, context),
  } satisfies Partial<Handlers>;
}

function fromRow({ firstName, lastName, ...row }: MemberRow): Member {
  return { ...row, firstName: firstName ?? undefined, lastName: lastName ?? undefined };
}

function fromState({ joined, role, status }: KnownMember): Member {
  const { userId, email, firstName, lastName } = joined;
  return fromRow({ userId, email, firstName, lastName, role, isActive: status === 'active' });
}

/** A personal account has no other members, and no list of them. */
function onlyOwner(userId: string): Member {
  return { userId, email: '', role: 'admin', isActive: true };
}
