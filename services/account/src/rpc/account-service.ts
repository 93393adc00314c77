import { Fault, requireAccepted } from '@sluice/errors';
import type { EventStore, Position, WithoutContext } from '@sluice/es';
import {
  type Account as AccountMessage,
  AccountKind,
  AccountServiceService,
} from '@sluice/protos/sluice/account/v1/account';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { type AccountReads, type Projector, type Queryable, type Shown } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import type { Clock } from '@sluice/clock-and-ids';
import type { CreditsCommand } from '../domain/account/credits.ts';
import type { ChangeEntitlement, ChangeOrganizationSettings } from '../domain/account/settings.ts';
import type { Account } from '../domain/account/state.ts';
import { type AccountRow, findAccount } from '../queries/find-account.ts';
import { listAccounts } from '../queries/list-accounts.ts';
import { accountEvents } from '../store/account-events.ts';
import { memberEvents, memberId } from '../store/member-events.ts';
import { memberCalls } from './member-calls.ts';
import { pageOf } from './page.ts';

export interface AccountRpcDependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads & Queryable;
  readonly clock: Clock;
  /** Each waits until its read model holds a position, so that the next Get sees the change. */
  readonly shown: { readonly accounts: Shown; readonly members: Shown };
  /** Waits for the reaction that lets owners in. */
  readonly ownersJoined: Projector['waitFor'];
}

/** A command on credits without the fields of its context. */
type CreditsEntry = WithoutContext<CreditsCommand>;

const ownerTimeoutMs = 3_000;

type OpenedAccount = Extract<Account, { kind: 'open' }>['opened'];

export function accountRpc(dependencies: AccountRpcDependencies): RpcService {
  const { eventStore, readModel, clock, shown, ownersJoined } = dependencies;
  const handle = accountEvents.handler(eventStore);
  async function credit(entry: CreditsEntry, sent: CommandContext | undefined): Promise<object> {
    const context = commandContext(sent, clock.now());
    const { accountId, occurredAt } = context;
    requireAccepted(await handle(accountId, { ...entry, accountId, occurredAt }, context));
    return {};
  }
  async function change(
    asked: WithoutContext<ChangeOrganizationSettings | ChangeEntitlement>,
    sent: CommandContext | undefined,
  ) {
    const context = commandContext(sent, clock.now());
    const { accountId, occurredAt } = context;
    const handled = requireAccepted(
      await handle(accountId, { ...asked, accountId, occurredAt }, context),
    );
    await shown.accounts(handled.position, context.signal);
    return { account: fromState(handled.state) };
  }
  /** The reaction alone lets the owner in. What is asked next should find the owner there. */
  async function untilOwnerJoined(
    { kind, accountId, ownerUserId }: OpenedAccount,
    opened: Position | undefined,
  ): Promise<void> {
    if (kind === 'personal') return;
    if (!(await ownersJoined(opened, ownerTimeoutMs))) {
      const message = 'The account is open; its owner has not joined yet';
      throw new Fault('unavailable', { message, retryAfterSeconds: 1 });
    }
    const owner = memberId(accountId, ownerUserId);
    const { position: joined } = await memberEvents.load(eventStore, owner);
    await shown.members(joined);
  }
  return implement(AccountServiceService, {
    ...memberCalls(dependencies),
    async openAccount({ context: sent, kind, ownerEmail, ...values }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const named = { kind: kindOf(kind), ownerEmail: ownerEmail || null };
      const command = { type: 'OpenAccount', ...values, ...named, accountId, occurredAt } as const;
      const handled = requireAccepted(await handle(accountId, command, context));
      await shown.accounts(handled.position, context.signal);
      if (handled.state.kind === 'open')
        await untilOwnerJoined(handled.state.opened, handled.position);
      return { account: fromState(handled.state) };
    },
    grantCredits: ({ context, ...entry }) => credit({ type: 'GrantCredits', ...entry }, context),
    purchaseCredits: ({ context, ...entry }) =>
      credit({ type: 'PurchaseCredits', ...entry }, context),
    refundCredits: ({ context, ...entry }) => credit({ type: 'RefundCredits', ...entry }, context),
    changeOrganizationSettings: ({ context, ...values }) =>
      change({ type: 'ChangeOrganizationSettings', ...values }, context),
    changeEntitlement: ({ context, ...values }) =>
      change({ type: 'ChangeEntitlement', ...values }, context),
    async getAccount({ accountId }) {
      const row = await findAccount(readModel, accountId);
      if (!row) throw new Fault('not_found');
      return { account: fromRow(row) };
    },
    async listAccounts(sent) {
      const { rows, totalCount } = await listAccounts(readModel, pageOf(sent));
      return { accounts: rows.map(fromRow), totalCount };
    },
  });
}

const messageKind = {
  personal: AccountKind.ACCOUNT_KIND_PERSONAL,
  organization: AccountKind.ACCOUNT_KIND_ORGANIZATION,
} as const;

function kindOf(kind: AccountKind): 'personal' | 'organization' | undefined {
  switch (kind) {
    case AccountKind.ACCOUNT_KIND_PERSONAL:
      return 'personal';
    case AccountKind.ACCOUNT_KIND_ORGANIZATION:
      return 'organization';
    case AccountKind.ACCOUNT_KIND_UNSPECIFIED:
    case AccountKind.UNRECOGNIZED:
      return undefined;
  }
}

function fromRow({ kind, createdAt, ...row }: AccountRow): AccountMessage {
  return { ...row, kind: messageKind[kind], createdAt: createdAt.toISOString() };
}

function fromState(state: Account): AccountMessage | undefined {
  if (state.kind === 'none') return undefined;
  const { kind, openedAt, ownerEmail: _ownerEmail, ...rest } = state.opened;
  const { settings: set, entitlements } = state;
  const settings = {
    ...set,
    isScimEnabled: entitlements.has('scim'),
    isAlignmentEnabled: entitlements.has('alignment'),
  };
  return { ...rest, ...settings, kind: messageKind[kind], createdAt: openedAt };
}
