import { Fault, requireAccepted } from '@sluice/errors';
import type { EventStore, WithoutContext } from '@sluice/es';
import { ScimServiceService } from '@sluice/protos/sluice/account/v1/scim';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { type AccountReads, type Shown } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import { type Clock, derivedId, isUuid } from '@sluice/clock-and-ids';
import type { Workspaces } from '../commands/workspaces.ts';
import type { MappingCommand } from '../domain/scim-directory/commands.ts';
import { findAccount } from '../queries/find-account.ts';
import { findScimSyncJob } from '../queries/find-scim-sync-job.ts';
import { listScimGroups } from '../queries/list-scim-groups.ts';
import { findScimMapping, listScimMappings } from '../queries/scim-mappings.ts';
import { scimDirectoryEvents } from '../store/scim-directory-events.ts';
import { scimSyncEvents } from '../store/scim-sync-events.ts';
import { pageOf } from './page.ts';
import { groupMessage, jobMessage, mappingMessage, mappingStateMessage } from './scim-message.ts';

export interface ScimRpcDependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
  /** Each waits until its read model holds a position, so that the next Get sees the change. */
  readonly shown: {
    readonly directories: Shown;
    readonly syncs: Shown;
  };
}

type Handlers = Parameters<typeof implement<typeof ScimServiceService>>[1];

export function scimRpc(dependencies: ScimRpcDependencies): RpcService {
  return implement(ScimServiceService, {
    ...reading(dependencies),
    ...mapping(dependencies),
    ...syncing(dependencies),
  });
}

function reading({ readModel }: ScimRpcDependencies) {
  return {
    async listGroups({ accountId, offset, limit }) {
      await requireScim(readModel, accountId);
      const page = pageOf({ offset, limit });
      const { rows, totalCount } = await listScimGroups(readModel, { accountId, ...page });
      return { groups: rows.map(groupMessage), totalCount };
    },
    async listMappings({ accountId, offset, limit }) {
      await requireScim(readModel, accountId);
      const page = pageOf({ offset, limit });
      const { rows, totalCount } = await listScimMappings(readModel, { accountId, ...page });
      return { mappings: rows.map(mappingMessage), totalCount };
    },
    async getMapping({ accountId, mappingId: sent }) {
      await requireScim(readModel, accountId);
      const row = await findScimMapping(readModel, { accountId, mappingId: uuidOf(sent) });
      if (!row) throw new Fault('not_found');
      return { mapping: mappingMessage(row) };
    },
    async getSyncJob({ accountId, jobId: sent }) {
      await requireScim(readModel, accountId);
      const row = await findScimSyncJob(readModel, { accountId, jobId: uuidOf(sent) });
      if (!row) throw new Fault('not_found');
      return { job: jobMessage(row) };
    },
  } satisfies Partial<Handlers>;
}

function mapping({ eventStore, readModel, workspaces, clock, shown }: ScimRpcDependencies) {
  const handle = scimDirectoryEvents.handler(eventStore);
  async function carryOut(
    wanted: WithoutContext<MappingCommand>,
    context: ReturnType<typeof commandContext>,
  ) {
    const { accountId, occurredAt } = context;
    const handled = requireAccepted(
      await handle(accountId, { ...wanted, accountId, occurredAt }, context),
    );
    await shown.directories(handled.position, context.signal);
    return handled.state;
  }
  const received = async (sent: CommandContext | undefined) => {
    const context = commandContext(sent, clock.now());
    await requireScim(readModel, context.accountId);
    return context;
  };
  return {
    async createMapping({ context: sent, groupId, workspaceId: named, role }) {
      const context = await received(sent);
      const { accountId, commandId } = context;
      const workspaceId = uuidOf(named);
      if (!(await workspaces.workspaceExists(accountId, workspaceId))) throw new Fault('not_found');
      // The same command, sent again, is the same mapping.
      const mappingId = derivedId('scim mapping', accountId, commandId);
      const wanted = { mappingId, groupId: groupId.toLowerCase(), workspaceId, role };
      const state = await carryOut({ type: 'CreateMapping', ...wanted }, context);
      return { mapping: mappingStateMessage(state, mappingId) };
    },
    async changeMappingRole({ context: sent, mappingId: named, role }) {
      const context = await received(sent);
      const mappingId = uuidOf(named);
      const state = await carryOut({ type: 'ChangeMappingRole', mappingId, role }, context);
      return { mapping: mappingStateMessage(state, mappingId) };
    },
    async deleteMapping({ context: sent, mappingId: named, keepMembers }) {
      const context = await received(sent);
      const mappingId = uuidOf(named);
      await carryOut({ type: 'DeleteMapping', mappingId, keepMembers }, context);
      return {};
    },
  } satisfies Partial<Handlers>;
}

function syncing({ eventStore, readModel, clock, shown }: ScimRpcDependencies) {
  const handle = scimSyncEvents.handler(eventStore);
  return {
    async requestSync({ context: sent }) {
      const context = commandContext(sent, clock.now());
      const { accountId, commandId, occurredAt } = context;
      await requireScim(readModel, accountId);
      const jobId = derivedId('scim sync', accountId, commandId);
      const command = { type: 'RequestSync', accountId, jobId, occurredAt } as const;
      const handled = requireAccepted(await handle(accountId, command, context));
      await shown.syncs(handled.position, context.signal);
      const { open } = handled.state;
      if (open)
        return {
          job: jobMessage({
            jobId: open.jobId,
            status: open.startedAt === undefined ? 'queued' : 'running',
            createdAt: new Date(open.requestedAt),
            startedAt: open.startedAt === undefined ? null : new Date(open.startedAt),
            finishedAt: null,
            syncedGroups: null,
            deletedGroups: null,
            errorMessage: null,
          }),
        };
      // The same command, sent again: its job is finished.
      const row = await findScimSyncJob(readModel, { accountId, jobId });
      if (!row) throw new Fault('unavailable', { retryAfterSeconds: 1 });
      return { job: jobMessage(row) };
    },
  } satisfies Partial<Handlers>;
}

async function requireScim(readModel: AccountReads, accountId: string): Promise<void> {
  const account = await findAccount(readModel, accountId);
  if (account?.kind !== 'organization' || !account.isScimEnabled) throw new Fault('not_found');
}

/** Throws not_found for a text that is no UUID. */
function uuidOf(text: string): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) throw new Fault('not_found');
  return id;
}
