import type { EventStore } from '@sluice/es';
import {
  type Database,
  migrate,
  type Projection,
  type Projector,
  startProjector,
} from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Clock, Logger, Service } from '@sluice/service';
import type { Telemetry } from '@sluice/telemetry';
import { accountsProjection } from './projections/accounts.ts';
import { endUsersProjection } from './projections/end-users.ts';
import { membersProjection } from './projections/members.ts';
import { joinOwners } from './reactions/join-owners.ts';
import { type CreditBus, publishCredits } from './reactions/publish-credits.ts';
import {
  type MemberBus,
  publishMemberDeactivations,
} from './reactions/publish-member-deactivations.ts';
import { accountReadModels } from './read-models.ts';
import { accountRpc } from './rpc/account-service.ts';
import { auditRpc } from './rpc/audit-service.ts';
import { endUserRpc } from './rpc/end-user-service.ts';
import { idempotencyRpc } from './rpc/idempotency-service.ts';

export interface AccountDependencies {
  readonly eventStore: EventStore;
  /** Of the schema `account`; the caller closes it after `stop`. */
  readonly database: Database;
  readonly bus: CreditBus & MemberBus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface AccountService extends Service {
  readonly rpc: readonly RpcService[];
}

/** Accounts, their credits and their members: commands, read models, and the facts for others. */
export function createService(dependencies: AccountDependencies): AccountService {
  const { eventStore, database, bus, clock, logger, telemetry } = dependencies;
  const running = new Map<Projection, Projector>();
  const project = (projection: Projection) => {
    const options = { eventStore, database, projection, logger, telemetry };
    running.set(projection, startProjector(options));
  };
  const waitFor =
    (projection: Projection): Projector['waitFor'] =>
    async (position, timeoutMs) =>
      (await running.get(projection)?.waitFor(position, timeoutMs)) ?? false;
  return {
    name: 'account',
    rpc: [
      accountRpc({
        eventStore,
        readModel: database,
        clock,
        projected: { accounts: waitFor(accountsProjection), members: waitFor(membersProjection) },
      }),
      endUserRpc({
        eventStore,
        readModel: database,
        clock,
        projected: waitFor(endUsersProjection),
      }),
      idempotencyRpc(database),
      auditRpc({ eventStore, clock }),
    ],
    async start() {
      await migrate(database, accountReadModels.migrations);
      for (const projection of accountReadModels.projections) project(projection);
      project(publishCredits(bus));
      project(publishMemberDeactivations(bus));
      project(joinOwners(eventStore));
    },
    async stop() {
      await Promise.all(running.values().map((projector) => projector.stop()));
    },
    unreadiness: () =>
      running.size === 0
        ? ['account has not started']
        : [...running.values()].flatMap((projector) => projector.unreadiness()),
  };
}
