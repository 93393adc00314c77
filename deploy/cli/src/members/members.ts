import { Fault } from '@sluice/errors';
import { AccountServiceService, type Member } from '@sluice/protos/sluice/account/v1/account';
import type { RpcClient } from '@sluice/rpc';
import { derivedId, type Ids } from '@sluice/clock-and-ids';
import { show } from '../api/show.ts';
import { asking } from '../asking.ts';
import { operatorContext } from '../operator-context.ts';
import type { Output } from '../output.ts';
import type { AccountAddress } from '../service-addresses.ts';
import type { AddMember, MembersCommand } from './command.ts';

export interface MembersSurroundings {
  readonly service: AccountAddress;
  readonly accountId: string;
  readonly output: Output;
  readonly ids: Ids;
}

type Client = RpcClient<AccountServiceService>;

/** Adds, changes or removes a member. Returns the exit code; throws the fault of the service. */
export async function members(
  command: MembersCommand,
  surroundings: MembersSurroundings,
): Promise<number> {
  const { service, output } = surroundings;
  const { accountAddress: address, rpcToken } = service;
  const member = await asking(AccountServiceService, { address, rpcToken }, (client) =>
    carryOut(client, command, surroundings),
  );
  const answer = { data: viewOf(member) };
  if (command.json) output.line(JSON.stringify(answer, null, 2));
  else show(answer, { columns: [] }, output);
  return 0;
}

async function carryOut(
  client: Client,
  command: MembersCommand,
  { accountId, ids }: MembersSurroundings,
): Promise<Member> {
  const context = operatorContext(accountId, ids.next());
  switch (command.name) {
    case 'add':
      return await add(client, command, accountId, ids);
    case 'role':
      return present(await client.changeMemberRole({ context, ...command }));
    case 'remove':
      return present(await client.deactivateMember({ context, userId: command.userId }));
  }
}

/** A user who was a member before comes back under their id, with the role that is asked for. */
async function add(
  client: Client,
  command: AddMember,
  accountId: string,
  ids: Ids,
): Promise<Member> {
  const { email, role } = command;
  const names = {
    firstName: command.firstName || undefined,
    lastName: command.lastName || undefined,
  };
  const userId = command.userId ?? `user_${derivedId('user', accountId, email.toLowerCase())}`;
  const next = () => operatorContext(accountId, ids.next());
  const { members: known } = await client.getMembers({ accountId, userIds: [userId] });
  const [before] = known;
  if (before === undefined || before.isActive) {
    const joining = { context: next(), userId, email, ...names, role };
    return present(await client.joinMember(joining));
  }
  await client.reactivateMember({ context: next(), userId });
  return present(await client.changeMemberRole({ context: next(), userId, role }));
}

function present({ member }: { readonly member?: Member | undefined }): Member {
  if (member) return member;
  throw new Fault('internal', { message: 'The account service answered without the member' });
}

function viewOf({ userId, email, firstName, lastName, role, isActive }: Member) {
  return {
    id: userId,
    email,
    first_name: firstName ?? null,
    last_name: lastName ?? null,
    role,
    is_active: isActive,
  };
}
