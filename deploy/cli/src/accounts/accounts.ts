import { Fault } from '@sluice/errors';
import {
  type Account,
  AccountKind,
  AccountServiceService,
} from '@sluice/protos/sluice/account/v1/account';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { derivedId, type Ids } from '@sluice/clock-and-ids';
import { show } from '../api/show.ts';
import { asking } from '../asking.ts';
import { operatorContext } from '../operator-context.ts';
import type { Output } from '../output.ts';
import type { AccountAddresses } from '../service-addresses.ts';
import type { AccountsCommand, EntitleAccount, ListAccounts, OpenAccount } from './command.ts';

export interface AccountsSurroundings {
  readonly services: AccountAddresses;
  readonly output: Output;
  readonly ids: Ids;
  /** Finds the organization of the first start. */
  readonly organization: () => Promise<string>;
}

/** Opens, lists or entitles accounts. Returns the exit code; throws the fault of the service. */
export async function accounts(
  command: AccountsCommand,
  surroundings: AccountsSurroundings,
): Promise<number> {
  switch (command.name) {
    case 'open':
      await open(command, surroundings);
      return 0;
    case 'list':
      await list(command, surroundings);
      return 0;
    case 'entitle':
      await entitle(command, surroundings);
      return 0;
  }
}

const kinds = {
  organization: AccountKind.ACCOUNT_KIND_ORGANIZATION,
  personal: AccountKind.ACCOUNT_KIND_PERSONAL,
} as const;

/** The account first, then its default workspace. Repeated under the same id it goes on where it stopped. */
async function open(command: OpenAccount, surroundings: AccountsSurroundings): Promise<void> {
  const { services, output, ids } = surroundings;
  const accountId = command.accountId ?? newAccountId(command, ids);
  const ownerUserId = ownerOf(command, accountId);
  const defaultWorkspaceId = derivedId('default workspace', accountId);
  const { rpcToken } = services;
  try {
    const { account } = await asking(
      AccountServiceService,
      { address: services.accountAddress, rpcToken },
      (client) =>
        client.openAccount({
          context: operatorContext(accountId, ids.next()),
          kind: kinds[command.kind],
          name: command.accountName,
          ownerUserId,
          ownerEmail: command.ownerEmail,
          defaultWorkspaceId,
        }),
    );
    await asking(
      WorkspaceServiceService,
      { address: services.workspaceAddress, rpcToken },
      (client) =>
        client.createWorkspace({
          context: operatorContext(accountId, ids.next()),
          workspaceId: defaultWorkspaceId,
          name: 'Default',
          slug: 'default',
          isDefault: true,
          settings: undefined,
          createdBy: ownerUserId,
        }),
    );
    if (account) tell(account, command, output);
  } catch (error) {
    if (error instanceof Fault && error.retryable)
      output.problem(`It may have been done in part: repeat it with --id ${accountId}.`);
    throw error;
  }
}

function tell(account: Account, { json }: OpenAccount, output: Output): void {
  if (json) return output.line(JSON.stringify({ data: viewOf(account) }, null, 2));
  show({ data: viewOf(account) }, { columns: [] }, output);
  output.line(`Its first key: sluice keys create-management --account ${account.accountId} ...`);
}

function newAccountId({ kind, ownerUserId }: OpenAccount, ids: Ids): string {
  if (kind === 'organization') return `org_${ids.next()}`;
  return ownerUserId ?? `user_${ids.next()}`;
}

/** A personal account is its owner's, under one id. */
function ownerOf({ kind, ownerUserId, ownerEmail }: OpenAccount, accountId: string): string {
  if (ownerUserId !== undefined) return ownerUserId;
  if (kind === 'personal') return accountId;
  return `user_${derivedId('user', accountId, ownerEmail.toLowerCase())}`;
}

const columns = ['id', 'kind', 'name', 'owner_user_id', 'created_at'];

async function list(
  { offset, limit, json }: ListAccounts,
  { services, output }: AccountsSurroundings,
): Promise<void> {
  const found = await asking(
    AccountServiceService,
    { address: services.accountAddress, rpcToken: services.rpcToken },
    (client) => client.listAccounts({ offset, limit }),
  );
  const answer = { data: found.accounts.map(viewOf), total_count: found.totalCount };
  if (json) output.line(JSON.stringify(answer, null, 2));
  else show(answer, { columns }, output);
}

async function entitle(
  { feature: entitlement, isEnabled, accountId, json }: EntitleAccount,
  { services, output, ids, organization }: AccountsSurroundings,
): Promise<void> {
  const context = operatorContext(accountId ?? (await organization()), ids.next());
  const { account } = await asking(
    AccountServiceService,
    { address: services.accountAddress, rpcToken: services.rpcToken },
    (client) => client.changeEntitlement({ context, entitlement, isEnabled }),
  );
  if (!account) throw new Error('invariant: a change returns its account');
  const answer = { data: viewOf(account) };
  if (json) output.line(JSON.stringify(answer, null, 2));
  else show(answer, { columns: [] }, output);
}

function viewOf(account: Account) {
  const isOrganization = account.kind === AccountKind.ACCOUNT_KIND_ORGANIZATION;
  return {
    id: account.accountId,
    kind: isOrganization ? 'organization' : 'personal',
    name: account.name,
    owner_user_id: account.ownerUserId,
    default_workspace_id: account.defaultWorkspaceId,
    features: [
      ...(account.isAlignmentEnabled ? ['alignment'] : []),
      ...(account.isScimEnabled ? ['scim'] : []),
    ],
    created_at: account.createdAt,
  };
}
