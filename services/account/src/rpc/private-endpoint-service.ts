import { type Clock, isUuid } from '@sluice/clock-and-ids';
import { Fault, invalidValue, requireAccepted } from '@sluice/errors';
import type { EventStore, Position, WithoutContext } from '@sluice/es';
import {
  PrivateEndpointServiceService,
  PrivateEndpointUseServiceService,
} from '@sluice/protos/sluice/account/v1/private_endpoint';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { AccountReads, Queryable, Shown } from '@sluice/read-model';
import { commandContext, implement, type ReceivedContext, type RpcService } from '@sluice/rpc';
import {
  activatePrivateEndpoint,
  validateAndActivate,
} from '../commands/private-endpoints/activate-private-endpoint.ts';
import { createPrivateEndpoint } from '../commands/private-endpoints/create-private-endpoint.ts';
import type { EndpointChecks } from '../commands/private-endpoints/endpoint-checks.ts';
import { reconfigurePrivateEndpoint } from '../commands/private-endpoints/reconfigure-private-endpoint.ts';
import { validatePrivateEndpoint } from '../commands/private-endpoints/validate-private-endpoint.ts';
import type { Workspaces } from '../commands/workspaces.ts';
import type { ChangeEndpoint } from '../domain/private-endpoints/commands.ts';
import type { PrivateEndpoint } from '../domain/private-endpoints/state.ts';
import { findAccount } from '../queries/find-account.ts';
import {
  findPrivateEndpoint,
  listEndpointChanges,
  listPrivateEndpoints,
  type PrivateEndpointRow,
} from '../queries/private-endpoints.ts';
import { privateEndpointsEvents } from '../store/private-endpoints-events.ts';
import {
  activeMessage,
  endpointMessage,
  rowOf,
  validationMessage,
} from './private-endpoint-message.ts';

export interface PrivateEndpointRpcDependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads & Queryable;
  readonly clock: Clock;
  readonly workspaces: Pick<Workspaces, 'workspaceExists'>;
  readonly endpointChecks: EndpointChecks;
  /** Publishes beside the answer that the endpoints of an account changed. */
  readonly publishEndpointChange: (accountId: string, isRevoked: boolean) => void;
  /** Waits until the read model holds a position, so that the next Get sees the change. */
  readonly shown: { readonly privateEndpoints: Shown };
}

type Handlers = Parameters<typeof implement<typeof PrivateEndpointServiceService>>[1];
type Simple = Extract<ChangeEndpoint, { readonly type: `${string}Endpoint` }>;
type Wanted = WithoutContext<Simple>;

export function privateEndpointRpcs(
  dependencies: PrivateEndpointRpcDependencies,
): readonly RpcService[] {
  const { readModel } = dependencies;
  return [
    implement(PrivateEndpointServiceService, {
      ...reading(dependencies),
      ...drafting(dependencies),
      ...changing(dependencies),
    }),
    implement(PrivateEndpointUseServiceService, {
      async listActiveEndpoints({ accountId }) {
        const rows = await listPrivateEndpoints(readModel, { accountId, isActiveOnly: true });
        return { endpoints: rows.map(activeMessage) };
      },
      async listEndpointChanges({ after }) {
        const { changes, ...end } = await listEndpointChanges(readModel, after);
        return {
          ...end,
          changes: changes.map(({ accountId, isRevoked }) => ({ accountId, isRevoked })),
        };
      },
    }),
  ];
}

function reading({ readModel, endpointChecks }: PrivateEndpointRpcDependencies) {
  return {
    async listPrivateEndpoints({ accountId }) {
      await requireOrganization(readModel, accountId);
      const rows = await listPrivateEndpoints(readModel, { accountId, isActiveOnly: false });
      return { endpoints: await messagesOf(rows, endpointChecks) };
    },
    async getPrivateEndpoint({ accountId, endpointId: sent }) {
      await requireOrganization(readModel, accountId);
      const row = await findPrivateEndpoint(readModel, { accountId, endpointId: uuidOf(sent) });
      if (!row) throw new Fault('not_found');
      const [endpoint] = await messagesOf([row], endpointChecks);
      return { endpoint };
    },
  } satisfies Partial<Handlers>;
}

function drafting(dependencies: PrivateEndpointRpcDependencies) {
  const { eventStore, endpointChecks, workspaces, clock } = dependencies;
  const handle = privateEndpointsEvents.handler(eventStore);
  const checking = { eventStore, handle, checks: endpointChecks, workspaces, clock };
  return {
    async createPrivateEndpoint({ context: sent, activateWorkspaceId, ...asked }) {
      const context = await received(dependencies, sent);
      const created = await createPrivateEndpoint(
        checking,
        {
          ...asked,
          model: asked.modelPermaslug,
          baseUrl: asked.baseUrl ?? null,
          declaredZdr: asked.declaredZdr ?? null,
          declaredRegion: asked.declaredRegion ?? null,
        },
        context,
      );
      const { endpointId } = created.endpoint;
      if (activateWorkspaceId === undefined || created.isRepeated) {
        await dependencies.shown.privateEndpoints(created.position, context.signal);
        const endpoint = await messageOf(created.endpoint, endpointChecks);
        return { endpoint, validation: undefined, failure: undefined };
      }
      const draft = { endpointId, workspaceId: workspaceOf(activateWorkspaceId) };
      const { validation, failure } = await validateAndActivate(checking, draft, context);
      const { state, position } = await privateEndpointsEvents.load(eventStore, context.accountId);
      await changed(dependencies, { context, position, isRevoked: false });
      return {
        endpoint: await messageOf(state.endpoints.get(endpointId), endpointChecks),
        validation: validation && validationMessage(validation),
        failure,
      };
    },
    async validatePrivateEndpoint({ context: sent, endpointId: named, workspaceId }) {
      const context = await received(dependencies, sent);
      const draft = { endpointId: uuidOf(named), workspaceId: workspaceOf(workspaceId) };
      const validated = await validatePrivateEndpoint(checking, draft, context);
      return { validation: validationMessage(validated) };
    },
    async reconfigurePrivateEndpoint({ context: sent, endpointId: named, ...asked }) {
      const context = await received(dependencies, sent);
      const endpointId = uuidOf(named);
      const handled = await reconfigurePrivateEndpoint(checking, { ...asked, endpointId }, context);
      await changed(dependencies, { context, position: handled.position, isRevoked: false });
      return { endpoint: await messageOf(handled.state.endpoints.get(endpointId), endpointChecks) };
    },
    async activatePrivateEndpoint({ context: sent, endpointId: named }) {
      const context = await received(dependencies, sent);
      const endpointId = uuidOf(named);
      const handled = await activatePrivateEndpoint(checking, endpointId, context);
      await changed(dependencies, { context, position: handled.position, isRevoked: false });
      return { endpoint: await messageOf(handled.state.endpoints.get(endpointId), endpointChecks) };
    },
  } satisfies Partial<Handlers>;
}

function changing(dependencies: PrivateEndpointRpcDependencies) {
  const { eventStore, endpointChecks } = dependencies;
  const handle = privateEndpointsEvents.handler(eventStore);
  async function carryOut(wanted: Wanted, sent: CommandContext | undefined) {
    const context = await received(dependencies, sent);
    const { accountId, occurredAt } = context;
    const command = { ...wanted, endpointId: uuidOf(wanted.endpointId), accountId, occurredAt };
    const { state, position } = requireAccepted(await handle(accountId, command, context));
    const isRevoked = wanted.type === 'DisableEndpoint' || wanted.type === 'DeleteEndpoint';
    await changed(dependencies, { context, position, isRevoked });
    return state.endpoints.get(command.endpointId);
  }
  const shownAfter = async (wanted: Wanted, sent: CommandContext | undefined) => ({
    endpoint: await messageOf(await carryOut(wanted, sent), endpointChecks),
  });
  return {
    enablePrivateEndpoint: ({ context, endpointId }) =>
      shownAfter({ type: 'EnableEndpoint', endpointId }, context),
    disablePrivateEndpoint: ({ context, endpointId }) =>
      shownAfter({ type: 'DisableEndpoint', endpointId }, context),
    repricePrivateEndpoint({ context, endpointId, pricing }) {
      if (!pricing) throw invalidValue('pricing', 'must be given');
      return shownAfter({ type: 'RepriceEndpoint', endpointId, pricing }, context);
    },
    async deletePrivateEndpoint({ context, endpointId, draftOnly }) {
      await carryOut({ type: 'DeleteEndpoint', endpointId, draftOnly }, context);
      return {};
    },
  } satisfies Partial<Handlers>;
}

interface Change {
  readonly context: ReceivedContext;
  readonly position: Position | undefined;
  /** An endpoint is not to be used any more. */
  readonly isRevoked: boolean;
}

/** Waits until the change is shown, and has it published. */
async function changed(
  { shown, publishEndpointChange }: PrivateEndpointRpcDependencies,
  { context, position, isRevoked }: Change,
): Promise<void> {
  await shown.privateEndpoints(position, context.signal);
  publishEndpointChange(context.accountId, isRevoked);
}

async function received(
  { readModel, clock }: PrivateEndpointRpcDependencies,
  sent: CommandContext | undefined,
): Promise<ReceivedContext> {
  const context = commandContext(sent, clock.now());
  await requireOrganization(readModel, context.accountId);
  return context;
}

async function messageOf(
  endpoint: PrivateEndpoint | undefined,
  checks: Pick<EndpointChecks, 'names'>,
) {
  if (!endpoint) throw new Fault('not_found');
  const [message] = await messagesOf([rowOf(endpoint)], checks);
  return message;
}

async function messagesOf(
  rows: readonly PrivateEndpointRow[],
  checks: Pick<EndpointChecks, 'names'>,
) {
  if (rows.length === 0) return [];
  const names = await checks.names({
    models: [...new Set(rows.map(({ modelPermaslug }) => modelPermaslug))],
    providers: [...new Set(rows.map(({ provider }) => provider))],
  });
  return rows.map((row) => endpointMessage(row, names));
}

async function requireOrganization(readModel: AccountReads, accountId: string): Promise<void> {
  const account = await findAccount(readModel, accountId);
  if (account?.kind === 'organization') return;
  const message = 'Private endpoints are for organizations alone';
  throw new Fault('permission_denied', { message });
}

/** Throws not_found for a text that is no UUID. */
function uuidOf(text: string): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) throw new Fault('not_found');
  return id;
}

function workspaceOf(text: string): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) throw invalidValue('workspace_id', 'must be the UUID of a workspace');
  return id;
}
