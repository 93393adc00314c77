import type { EventStore } from '@sluice/es';
import { type Database, migrate, startProjector, type Projector } from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Clock, Logger, Service } from '@sluice/service';
import type { Telemetry } from '@sluice/telemetry';
import { workspacesProjection } from './projections/workspaces.ts';
import { workspaceReadModels } from './read-models.ts';
import { workspaceRpc } from './rpc/workspace-service.ts';

export interface WorkspaceDependencies {
  readonly eventStore: EventStore;
  /** Of the schema `workspace`; the caller closes it after `stop`. */
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface WorkspaceService extends Service {
  readonly rpc: readonly RpcService[];
}

/** Workspaces: commands, their read model and the rpc in front of both. */
export function createService(dependencies: WorkspaceDependencies): WorkspaceService {
  const { eventStore, database, clock, logger, telemetry } = dependencies;
  let workspaces: Projector | undefined;
  return {
    name: 'workspace',
    rpc: [
      workspaceRpc({
        eventStore,
        readModel: database,
        clock,
        projected: async (position, timeoutMs) =>
          (await workspaces?.waitFor(position, timeoutMs)) ?? false,
      }),
    ],
    async start() {
      await migrate(database, workspaceReadModels.migrations);
      const projection = workspacesProjection;
      workspaces = startProjector({ eventStore, database, projection, logger, telemetry });
    },
    stop: async () => workspaces?.stop(),
    unreadiness: () => workspaces?.unreadiness() ?? ['workspace has not started'],
  };
}
