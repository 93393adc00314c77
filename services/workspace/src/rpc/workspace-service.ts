import { Fault, isRejection, rejectionToFault } from '@sluice/errors';
import { commandHandler, type EventStore } from '@sluice/es';
import {
  type Workspace as WorkspaceMessage,
  WorkspaceServiceService,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Projector, Queryable } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import { eventId, type Clock } from '@sluice/service';
import { workspace } from '../domain/workspace/decide.ts';
import type { Workspace } from '../domain/workspace/state.ts';
import { findWorkspace } from '../queries/find-workspace.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

export interface WorkspaceRpcDependencies {
  readonly eventStore: EventStore;
  readonly readModel: Queryable;
  readonly clock: Clock;
  /** Waits until the read model holds a position: the next Get sees what was answered. */
  readonly projected: Projector['waitFor'];
}

const projectedTimeoutMs = 500;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function workspaceRpc(dependencies: WorkspaceRpcDependencies): RpcService {
  const { eventStore, readModel, clock, projected } = dependencies;
  const handle = commandHandler(workspace, workspaceEvents, { store: eventStore, eventId });
  return implement(WorkspaceServiceService, {
    async createWorkspace({ context: sent, workspaceId, name, slug, isDefault }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const values = { workspaceId, accountId, name, slug, isDefault, occurredAt };
      const command = { type: 'CreateWorkspace', ...values } as const;
      // A malformed id must not become the name of a stream.
      const refused = workspace.decide(command, workspace.initial);
      if (isRejection(refused)) throw rejectionToFault(refused);
      const handled = await handle(workspaceId, command, context);
      if (isRejection(handled)) throw rejectionToFault(handled);
      await projected(handled.position, projectedTimeoutMs);
      return { workspace: fromState(handled.state) };
    },
    async getWorkspace({ accountId, workspaceId: sent }) {
      const workspaceId = sent.toLowerCase();
      const row = uuidPattern.test(workspaceId)
        ? await findWorkspace(readModel, { accountId, workspaceId })
        : undefined;
      if (!row) throw new Fault('not_found');
      return { workspace: { ...row, createdAt: row.createdAt.toISOString() } };
    },
  });
}

function fromState(state: Workspace): WorkspaceMessage | undefined {
  if (state.kind === 'none') return undefined;
  const { kind: _kind, ...values } = state;
  return values;
}
