import { Fault, requireAccepted } from '@sluice/errors';
import type { EventStore, WithoutContext } from '@sluice/es';
import {
  type EndUser as EndUserMessage,
  EndUserServiceService,
} from '@sluice/protos/sluice/account/v1/end_user';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { type AccountReads, type Shown } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import type { Clock } from '@sluice/clock-and-ids';
import type { EndUserCommand } from '../domain/end-user/decide.ts';
import type { EndUserRow } from '../queries/end-user-row.ts';
import { findAccount } from '../queries/find-account.ts';
import { findEndUser } from '../queries/find-end-user.ts';
import { listEndUsers } from '../queries/list-end-users.ts';
import { endUserEvents, endUserId } from '../store/end-user-events.ts';
import { pageOf } from './page.ts';

export interface EndUserRpcDependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
  readonly clock: Clock;
  /** Waits until the read model holds a position, so that the next Get sees the change. */
  readonly shown: { readonly endUsers: Shown };
}

/** A command without the fields of its context. */
type WantedEndUser = WithoutContext<EndUserCommand>;

export function endUserRpc(dependencies: EndUserRpcDependencies): RpcService {
  const { eventStore, readModel, clock, shown } = dependencies;
  const handle = endUserEvents.handler(eventStore);
  async function carryOut(wanted: WantedEndUser, sent: CommandContext | undefined) {
    const context = commandContext(sent, clock.now());
    const { accountId, occurredAt } = context;
    await requireOrganization(readModel, accountId);
    const command = { ...wanted, accountId, occurredAt };
    const handled = requireAccepted(
      await handle(endUserId(accountId, wanted.user), command, context),
    );
    await shown.endUsers(handled.position, context.signal);
    const { state } = handled;
    if (state.status === 'none') throw new Fault('not_found');
    const { user, isActive, createdAt, updatedAt } = state;
    return { endUser: { user, isActive, createdAt, updatedAt } };
  }
  return implement(EndUserServiceService, {
    registerEndUser: ({ context, user }) => carryOut({ type: 'RegisterEndUser', user }, context),
    setEndUserActive: ({ context, user, isActive }) =>
      carryOut({ type: 'SetEndUserActive', user, isActive }, context),
    deactivateEndUser: ({ context, user }) =>
      carryOut({ type: 'DeactivateEndUser', user }, context),
    async getEndUser({ accountId, user }) {
      const row = await findEndUser(readModel, { accountId, user: storable(user) });
      if (!row) throw new Fault('not_found');
      return { endUser: fromRow(row) };
    },
    async listEndUsers({ accountId, user, includeInactive, offset, limit }) {
      await requireOrganization(readModel, accountId);
      const page = pageOf({ offset, limit });
      const asked = user === undefined ? null : storable(user);
      const question = { accountId, user: asked, includeInactive, ...page };
      const { rows, totalCount } = await listEndUsers(readModel, question);
      return { endUsers: rows.map(fromRow), totalCount };
    },
  });
}

async function requireOrganization(readModel: AccountReads, accountId: string): Promise<void> {
  const account = await findAccount(readModel, accountId);
  if (account?.kind !== 'organization') throw new Fault('not_found');
}

/** PostgreSQL takes no zero byte, so a user whose id has one is not registered. */
function storable(user: string): string {
  if (user.includes('\0')) throw new Fault('not_found');
  return user;
}

function fromRow({ createdAt, updatedAt, ...row }: EndUserRow): EndUserMessage {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
