import { derivedId, type Ids } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import {
  type Account,
  AccountKind,
  AccountServiceService,
} from '@sluice/protos/sluice/account/v1/account';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Operator } from '../operator.ts';
import type { AccountsCommand, EntitleAccount, ListAccounts, OpenAccount } from './command.ts';

type AccountsOperator = Operator<'account' | 'workspace'>;

/** Opens, lists or entitles accounts. Returns the exit code; throws the fault of the service. */
export async function accounts(
  command: AccountsCommand,
  operator: AccountsOperator,
): Promise<number> {
  if (command.name === 'open') await open(command, operator);
  else if (command.name === 'list') await list(command, operator);
  else await entitle(command, operator);
  return 0;
}

const kinds = {
  organization: AccountKind.ACCOUNT_KIND_ORGANIZATION,
  personal: AccountKind.ACCOUNT_KIND_PERSONAL,
} as const;

/** The account first, then its default workspace. Repeated under the same id it goes on where it stopped. */
async function open(command: OpenAccount, operator: AccountsOperator): Promise<void> {
  const { ask, context, output, ids, tell } = operator;
  const accountId = command.accountId ?? newAccountId(command, ids);
  const ownerUserId = ownerOf(command, accountId);
  const defaultWorkspaceId = derivedId('default workspace', accountId);
  try {
    const { account } = await ask('account', AccountServiceService, (client) =>
      client.openAccount({
        context: context(accountId),
        kind: kinds[command.kind],
        name: command.accountName,
        ownerUserId,
        ownerEmail: command.ownerEmail,
        defaultWorkspaceId,
      }),
    );
    await ask('workspace', WorkspaceServiceService, (client) =>
      client.createWorkspace({
        context: context(accountId),
        workspaceId: defaultWorkspaceId,
        name: 'Default',
        slug: 'default',
        isDefault: true,
        settings: undefined,
        createdBy: ownerUserId,
      }),
    );
    if (!account) return;
    tell({ data: viewOf(account) }, command.json);
    if (!command.json)
      output.line(`Its first key: sluice keys create-management --account ${accountId} ...`);
  } catch (error) {
    if (error instanceof Fault && error.retryable)
      output.problem(`It may have been done in part: repeat it with --id ${accountId}.`);
    throw error;
  }
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
  { ask, tell }: AccountsOperator,
): Promise<void> {
  const found = await ask('account', AccountServiceService, (client) =>
    client.listAccounts({ offset, limit }),
  );
  tell({ data: found.accounts.map(viewOf), total_count: found.totalCount }, json, columns);
}

async function entitle(
  { feature: entitlement, isEnabled, accountId, json }: EntitleAccount,
  { accountOf, ask, context: contextOf, tell }: AccountsOperator,
): Promise<void> {
  const context = contextOf(await accountOf(accountId));
  const { account } = await ask('account', AccountServiceService, (client) =>
    client.changeEntitlement({ context, entitlement, isEnabled }),
  );
  if (!account) throw new Error('invariant: a change returns its account');
  tell({ data: viewOf(account) }, json);
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
