import { type Clock, isUuid } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { DestinationServiceService } from '@sluice/protos/sluice/workspace/v1/destination';
import type { DestinationsChanged } from '@sluice/protos/sluice/workspace/v1/workspace_events';
import type { Shown } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import {
  type DestinationCommandDependencies,
  destinationCommands,
} from '../commands/destination-commands.ts';
import { findDestination } from '../queries/find-destination.ts';
import { listDestinations } from '../queries/list-destinations.ts';
import {
  changesOf,
  fromDestination,
  fromDestinationRow,
  settingsOf,
} from './destination-message.ts';
import { requirePage } from './page.ts';
import { workspaceNamed } from './require-workspace.ts';

export interface DestinationRpcDependencies extends DestinationCommandDependencies {
  readonly clock: Clock;
  /** Notifies the other processes, best effort. */
  readonly publishChange: (change: DestinationsChanged) => void;
  /** Waits until the read model holds a position and the replaced configs are erased. */
  readonly shown: Shown;
}

type Handlers = Parameters<typeof implement<typeof DestinationServiceService>>[1];

export function destinationRpc(dependencies: DestinationRpcDependencies): RpcService {
  const handlers = { ...writing(dependencies), ...reading(dependencies) };
  return implement(DestinationServiceService, handlers);
}

function writing(dependencies: DestinationRpcDependencies) {
  const { clock, readModel, shown, publishChange } = dependencies;
  const commands = destinationCommands(dependencies);
  return {
    async createDestination({ context: sent, workspaceId: named, type, config, settings }) {
      const context = commandContext(sent, clock.now());
      const { accountId, signal } = context;
      const workspaceId = await workspaceNamed(readModel, accountId, named);
      const wanted = { workspaceId, type, config, settings: settingsOf(settings) };
      const { destination, position } = await commands.create(wanted, context);
      await shown(position, signal);
      publishChange({ accountId, isRevoked: false });
      return { destination: fromDestination(destination) };
    },
    async updateDestination(request) {
      const context = commandContext(request.context, clock.now());
      const { accountId, signal } = context;
      const { destinationId, config } = request;
      const wanted = { destinationId, config, changes: changesOf(request) };
      const { destination, position, isChanged } = await commands.change(wanted, context);
      await shown(position, signal);
      if (isChanged) publishChange({ accountId, isRevoked: true });
      return { destination: fromDestination(destination) };
    },
    async deleteDestination({ context: sent, destinationId }) {
      const context = commandContext(sent, clock.now());
      const { accountId, signal } = context;
      const position = await commands.remove(destinationId, context);
      await shown(position, signal);
      publishChange({ accountId, isRevoked: true });
      return {};
    },
  } satisfies Partial<Handlers>;
}

function reading({ readModel }: DestinationRpcDependencies) {
  return {
    async getDestination({ accountId, destinationId }) {
      const row = isUuid(destinationId)
        ? await findDestination(readModel, { accountId, destinationId })
        : undefined;
      if (!row) throw new Fault('not_found');
      return { destination: fromDestinationRow(row) };
    },
    async listDestinations({ accountId, workspaceId: named, offset, limit }) {
      requirePage({ offset, limit });
      const workspaceId = await workspaceNamed(readModel, accountId, named);
      const asked = { accountId, workspaceId, offset, limit };
      const { rows, totalCount } = await listDestinations(readModel, asked);
      return { destinations: rows.map(fromDestinationRow), totalCount: BigInt(totalCount) };
    },
  } satisfies Partial<Handlers>;
}
