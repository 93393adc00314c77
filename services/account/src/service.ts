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
import { type CreditBus, publishCredits } from './reactions/publish-credits.ts';
import { accountReadModels } from './read-models.ts';
import { accountRpc } from './rpc/account-service.ts';

export interface AccountDependencies {
  readonly eventStore: EventStore;
  /** Of the schema `account`; the caller closes it after `stop`. */
  readonly database: Database;
  readonly bus: CreditBus;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface AccountService extends Service {
  readonly rpc: readonly RpcService[];
}

/** Accounts and their credit grants: commands, the read model, and the facts for the ledger. */
export function createService(dependencies: AccountDependencies): AccountService {
  const { eventStore, database, bus, clock, logger, telemetry } = dependencies;
  const running: Projector[] = [];
  const project = (projection: Projection) =>
    running.push(startProjector({ eventStore, database, projection, logger, telemetry }));
  return {
    name: 'account',
    rpc: [
      accountRpc({
        eventStore,
        readModel: database,
        clock,
        projected: async (position, timeoutMs) =>
          (await running[0]?.waitFor(position, timeoutMs)) ?? false,
      }),
    ],
    async start() {
      await migrate(database, accountReadModels.migrations);
      project(accountsProjection);
      project(publishCredits(bus));
    },
    async stop() {
      await Promise.all(running.map((projector) => projector.stop()));
    },
    unreadiness: () =>
      running.length === 0
        ? ['account has not started']
        : running.flatMap((projector) => projector.unreadiness()),
  };
}
