import type { FactBus } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import {
  assertNamespace,
  type Database,
  type Projection,
  type Projector,
  type Schema,
  schemaOf,
  startProjector,
  watchedEventStore,
} from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Service } from '@sluice/boot';
import type { Clock, Ids } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { Workspaces } from './commands/workspaces.ts';
import type { DirectorySource } from './directory/directory-source.ts';
import { accountsProjection } from './projections/accounts.ts';
import { endUsersProjection } from './projections/end-users.ts';
import { membersProjection } from './projections/members.ts';
import { scimDirectoryProjection } from './projections/scim-directory.ts';
import { scimSyncsProjection } from './projections/scim-syncs.ts';
import { provisionWorkspaces } from './reactions/provision-workspaces.ts';
import { removeMappings, type RemoveMappingsDependencies } from './reactions/remove-mappings.ts';
import { runSyncs } from './reactions/run-syncs.ts';
import { joinOwners } from './reactions/join-owners.ts';
import { publishCredits } from './reactions/publish-credits.ts';
import { publishMemberDeactivations } from './reactions/publish-member-deactivations.ts';
import { publishMemberNames } from './reactions/publish-member-names.ts';
import { accountReadModels } from './read-models.ts';
import { accountRpc } from './rpc/account-service.ts';
import { auditRpc } from './rpc/audit-service.ts';
import { endUserRpc } from './rpc/end-user-service.ts';
import { idempotencyRpc } from './rpc/idempotency-service.ts';
import { scimRpc } from './rpc/scim-service.ts';

export { rpcWorkspaces, type WorkspaceCalls } from './clients/workspaces.ts';
export { configuredDirectory } from './directory/configured-directory.ts';
export { loadDirectorySettings } from './config.ts';
export type { DirectorySource, Workspaces };

export interface AccountDependencies {
  readonly eventStore: EventStore;
  /** Uses the schema `account`. The caller closes it after `stop`. */
  readonly database: Database;
  readonly bus: FactBus & RemoveMappingsDependencies['bus'];
  readonly workspaces: Workspaces;
  /** The source of users and groups of organizations. */
  readonly directory: DirectorySource;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface AccountService extends Service {
  readonly rpc: readonly RpcService[];
}

/** Accounts, their credits, members, end users and directories: commands, read models, and the facts for others. */
export function createService(given: AccountDependencies): AccountService {
  const schema = schemaFor(given);
  const opened = { ...given, database: schema.database };
  const log = watchedEventStore(opened);
  const dependencies = { ...opened, eventStore: log };
  const { eventStore, database, bus, logger, telemetry } = dependencies;
  const running = new Map<string, Projector>();
  const stopping = new AbortController();
  let removing: Promise<void> | undefined;
  const waitFor: WaitFor =
    ({ projection }) =>
    async (position, timeoutMs) =>
      (await running.get(projection)?.waitFor(position, timeoutMs)) ?? false;
  const begin = () => {
    const { signal } = stopping;
    const followers = reactions(dependencies, waitFor, signal);
    for (const projection of [...accountReadModels.projections, ...followers]) {
      const options = { eventStore, database, projection, logger, telemetry };
      running.set(projection.projection, startProjector(options));
    }
    removing = removeMappings({ bus, eventStore, signal });
    removing.catch((error: unknown) => logger.error('mappings are no longer removed', { error }));
  };
  return {
    name: 'account',
    rpc: rpcServices(dependencies, waitFor),
    async start() {
      log.start();
      await schema.start(begin);
    },
    async stop() {
      stopping.abort();
      await schema.stop();
      await removing?.catch(() => undefined);
      await Promise.all(running.values().map((projector) => projector.stop()));
      await log.stop();
    },
    unreadiness: () => [
      ...schema.unreadiness(),
      ...[...running.values()].flatMap((one) => one.unreadiness()),
    ],
    degradation: () => [
      ...schema.degradation(),
      ...log.degradation(),
      ...[...running.values()].flatMap((one) => one.degradation()),
    ],
  };
}

/** Waits until a projection or reaction has come to a position of the log. */
type WaitFor = (projection: Projection) => Projector['waitFor'];

function rpcServices(dependencies: AccountDependencies, waitFor: WaitFor): readonly RpcService[] {
  const { eventStore, database, workspaces, clock } = dependencies;
  const common = { eventStore, readModel: database, clock };
  return [
    accountRpc({
      ...common,
      projected: {
        accounts: waitFor(accountsProjection),
        members: waitFor(membersProjection),
        owners: waitFor(joinOwners(eventStore)),
      },
    }),
    endUserRpc({ ...common, projected: waitFor(endUsersProjection) }),
    scimRpc({
      ...common,
      workspaces,
      projected: {
        directories: waitFor(scimDirectoryProjection),
        syncs: waitFor(scimSyncsProjection),
      },
    }),
    idempotencyRpc(database),
    auditRpc({ eventStore, clock }),
  ];
}

function reactions(
  dependencies: AccountDependencies,
  waitFor: WaitFor,
  signal: AbortSignal,
): readonly Projection[] {
  const { eventStore, database, bus, workspaces, logger } = dependencies;
  const provisioning = provisionWorkspaces({
    eventStore,
    readModel: database,
    workspaces,
    membersProjected: waitFor(membersProjection),
    onRefused: (refused) => logger.error('a membership is not as the directory says', refused),
  });
  const provisioned: Projector['waitFor'] = async (position, timeoutMs) => {
    const waits = [waitFor(provisioning), waitFor(scimDirectoryProjection)];
    const come = await Promise.all(waits.map((wait) => wait(position, timeoutMs)));
    return come.every((isThere) => isThere);
  };
  return [
    publishCredits(bus),
    publishMemberDeactivations(bus),
    publishMemberNames(bus, eventStore),
    joinOwners(eventStore),
    provisioning,
    runSyncs({ ...dependencies, signal, provisioned }),
  ];
}

function schemaFor(given: AccountDependencies): Schema {
  return schemaOf({
    ...given,
    migrations: accountReadModels.migrations,
    check: () => assertNamespace(given.database, given.eventStore),
  });
}
