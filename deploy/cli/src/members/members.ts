import { derivedId } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { AccountServiceService, type Member } from '@sluice/protos/sluice/account/v1/account';
import type { RpcClient } from '@sluice/rpc';
import type { Operator } from '../operator.ts';
import type { AddMember, MembersCommand } from './command.ts';

type Client = RpcClient<AccountServiceService>;

/** Adds, changes or removes a member. Returns the exit code; throws the fault of the service. */
export async function members(
  command: MembersCommand,
  operator: Operator<'account'>,
): Promise<number> {
  const accountId = await operator.accountOf(command.accountId);
  const context = () => operator.context(accountId);
  const member = await operator.ask('account', AccountServiceService, async (client) => {
    switch (command.name) {
      case 'add':
        return await add(client, command, accountId, context);
      case 'role':
        return present(await client.changeMemberRole({ context: context(), ...command }));
      case 'remove':
        return present(
          await client.deactivateMember({ context: context(), userId: command.userId }),
        );
    }
  });
  operator.tell({ data: viewOf(member) }, command.json);
  return 0;
}

/** A user who was a member before comes back under their id, with the role that is asked for. */
async function add(
  client: Client,
  command: AddMember,
  accountId: string,
  context: () => ReturnType<Operator<'account'>['context']>,
): Promise<Member> {
  const { email, role } = command;
  const names = {
    firstName: command.firstName || undefined,
    lastName: command.lastName || undefined,
  };
  const userId = command.userId ?? `user_${derivedId('user', accountId, email.toLowerCase())}`;
  const { members: known } = await client.getMembers({ accountId, userIds: [userId] });
  const [before] = known;
  if (before === undefined || before.isActive) {
    const joining = { context: context(), userId, email, ...names, role };
    return present(await client.joinMember(joining));
  }
  await client.reactivateMember({ context: context(), userId });
  return present(await client.changeMemberRole({ context: context(), userId, role }));
}

function present({ member }: { readonly member?: Member | undefined }): Member {
  if (member) return member;
  throw new Fault('internal', { message: 'The account service answered without the member' });
}

const viewOf = ({ userId, email, firstName, lastName, role, isActive }: Member) => ({
  id: userId,
  email,
  first_name: firstName ?? null,
  last_name: lastName ?? null,
  role,
  is_active: isActive,
});
