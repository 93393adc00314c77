import type { FactBus } from '@sluice/bus';
import type { EventStore, Position } from '@sluice/es';
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
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { Directory } from './commands/directory.ts';
import { workspaceMembersProjection } from './projections/workspace-members.ts';
import { workspaceStatesProjection } from './projections/workspace-states.ts';
import { workspacesProjection } from './projections/workspaces.ts';
import { dissolveMembers } from './reactions/dissolve-members.ts';
import { expelMembers, type ExpelMembersDependencies } from './reactions/expel-members.ts';
import { publishMemberRemovals } from './reactions/publish-member-removals.ts';
import {
  publishWorkspaceChange,
  publishWorkspaceChanges,
  type WorkspaceChangeBus,
} from './reactions/publish-workspace-changes.ts';
import { publishWorkspaceNames } from './reactions/publish-workspace-names.ts';
import { publishWorkspaceDeletions } from './reactions/publish-workspace-deletions.ts';
import { publishWorkspaceLimits } from './reactions/publish-workspace-limits.ts';
import { verifyNewMembers } from './reactions/verify-new-members.ts';
import { workspaceReadModels } from './read-models.ts';
import { workspaceRpc } from './rpc/workspace-service.ts';

export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export type { Directory };

export interface WorkspaceDependencies {
  readonly eventStore: EventStore;
  /** Uses the schema `workspace`. The caller closes it after `stop`. */
  readonly database: Database;
  readonly bus: FactBus & WorkspaceChangeBus & ExpelMembersDependencies['bus'];
  readonly directory: Directory;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface WorkspaceService extends Service {
  readonly rpc: readonly RpcService[];
}

/** Milliseconds that a reaction waits for the read model before it starts again. */
const publishedTimeoutMs = 5_000;

/** Workspaces, their members and budgets: commands, read models, and telling others of changes. */
export function createService(given: WorkspaceDependencies): WorkspaceService {
  const schema = schemaFor(given);
  const opened = { ...given, database: schema.database };
  const log = watchedEventStore(opened);
  const dependencies = { ...opened, eventStore: log };
  const { eventStore, database, bus, logger, telemetry } = dependencies;
  const running = new Map<string, Projector>();
  const all = () => [...running.values()];
  const stopping = new AbortController();
  let expelling: Promise<void> | undefined;
  const project = (projection: Projection) =>
    running.set(
      projection.projection,
      startProjector({ eventStore, database, projection, logger, telemetry }),
    );
  const projected =
    ({ projection }: Projection): Projector['waitFor'] =>
    async (position, timeoutMs) =>
      (await running.get(projection)?.waitFor(position, timeoutMs)) ?? false;
  const workspacesProjected: Projector['waitFor'] = async (position, timeoutMs) => {
    const both = [workspacesProjection, workspaceStatesProjection];
    const held = both.map((one) => projected(one)(position, timeoutMs));
    return (await Promise.all(held)).every((isHeld) => isHeld);
  };
  const begin = () => {
    for (const projection of workspaceReadModels.projections) project(projection);
    const holds = (position: Position) => workspacesProjected(position, publishedTimeoutMs);
    project(publishWorkspaceChanges({ bus, eventStore, projected: holds }));
    project(publishWorkspaceLimits(bus, eventStore));
    project(publishWorkspaceDeletions(bus, eventStore));
    project(publishWorkspaceNames(bus, eventStore));
    project(publishMemberRemovals(dependencies));
    project(verifyNewMembers(eventStore, dependencies.directory));
    project(dissolveMembers(eventStore));
    const { signal } = stopping;
    expelling = expelMembers({ bus, eventStore, readModel: database, signal });
    expelling.catch((error: unknown) => logger.error('members are no longer expelled', { error }));
  };
  return {
    name: 'workspace',
    rpc: [
      workspaceRpc({
        ...dependencies,
        readModel: database,
        publishChange: (change) => beside(publishWorkspaceChange(bus, change)),
        isComplete: () => running.get(workspaceStatesProjection.projection)?.isComplete() ?? false,
        workspacesProjected,
        membersProjected: projected(workspaceMembersProjection),
      }),
    ],
    async start() {
      log.start();
      await schema.start(begin);
    },
    async stop() {
      stopping.abort();
      await schema.stop();
      await expelling?.catch(() => undefined);
      await Promise.all(all().map((projector) => projector.stop()));
      await log.stop();
    },
    unreadiness: () => [...schema.unreadiness(), ...all().flatMap((one) => one.unreadiness())],
    degradation: () => [
      ...schema.degradation(),
      ...log.degradation(),
      ...all().flatMap((one) => one.degradation()),
    ],
  };
}

function schemaFor(given: WorkspaceDependencies): Schema {
  return schemaOf({
    ...given,
    migrations: workspaceReadModels.migrations,
    check: () => assertNamespace(given.database, given.eventStore),
  });
}

/** Sends a notice beside the answer to its command. The reaction sends it as well, once PostgreSQL is there. */
function beside(published: Promise<void>): void {
  published.catch(() => {});
}
