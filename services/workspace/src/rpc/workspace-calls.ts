import { givenFields } from '@sluice/es';
import { commandContext } from '@sluice/rpc';
import { createWorkspace } from '../commands/create-workspace.ts';
import { deleteWorkspace } from '../commands/delete-workspace.ts';
import { requireAdmission } from '../commands/require-admission.ts';
import { updateWorkspace } from '../commands/update-workspace.ts';
import { isUuid } from '../domain/workspace/settings.ts';
import { countWorkspaces, listWorkspaces } from '../queries/list-workspaces.ts';
import { workspaceEvents } from '../store/workspace-events.ts';
import { workspaceMembersEvents } from '../store/workspace-members-events.ts';
import { workspaceSlugEvents } from '../store/workspace-slug-events.ts';
import { type Handlers, type WorkspaceRpcDependencies } from './dependencies.ts';
import { hasAccess } from './memberships.ts';
import { requirePage } from './page.ts';
import { requireWorkspace } from './require-workspace.ts';
import { fromRow, fromState, namedSettings, settingsFrom } from './workspace-message.ts';

/** Workspaces themselves. */
export function workspaceCalls(dependencies: WorkspaceRpcDependencies) {
  return { ...writing(dependencies), ...reading(dependencies) };
}

function writing(dependencies: WorkspaceRpcDependencies) {
  const { eventStore, readModel, clock, directory, publishChange } = dependencies;
  const handle = workspaceEvents.handler(eventStore);
  const slugs = { eventStore, handle, handleSlug: workspaceSlugEvents.handler(eventStore) };
  const create = createWorkspace(slugs);
  const update = updateWorkspace(slugs);
  const remove = deleteWorkspace({ eventStore, handle, directory });

  type Context = ReturnType<typeof commandContext>;
  async function settled<Result extends Awaited<ReturnType<typeof create>>>(
    handling: Promise<Result>,
    { accountId, signal }: Context,
  ): Promise<Result> {
    const handled = await handling;
    await dependencies.shown.workspaces(handled.position, signal);
    if (handled.events.length > 0) publishChange({ accountId });
    return handled;
  }

  return {
    async createWorkspace({ context: sent, name, slug, ...request }) {
      const context = commandContext(sent, clock.now());
      const wanted = {
        workspaceId: request.workspaceId,
        accountId: context.accountId,
        settings: { name, slug, ...settingsFrom(request.settings) },
        isDefault: request.isDefault,
        createdBy: request.createdBy ?? null,
      };
      // A management key may outlive its account in an event store that was emptied. The account service itself makes
      // the default workspace, before anybody else knows the account.
      if (!request.isDefault) await directory.isOrganization(context.accountId);
      await requireAdmission(directory, context.accountId, wanted.settings);
      const { state } = await settled(create(wanted, context), context);
      return { workspace: fromState(state) };
    },
    async updateWorkspace({ context: sent, workspaceRef, name, slug, ...request }) {
      const context = commandContext(sent, clock.now());
      const { workspaceId } = await requireWorkspace(readModel, context.accountId, workspaceRef);
      const changes = {
        ...givenFields({ name, slug }),
        ...namedSettings(request.settings, request.changedSettings),
      };
      await requireAdmission(directory, context.accountId, changes);
      const { state } = await settled(update({ workspaceId, changes }, context), context);
      return { workspace: fromState(state) };
    },
    async deleteWorkspace({ context: sent, workspaceRef, confirmDefault: confirmsDefault }) {
      const context = commandContext(sent, clock.now());
      const { workspaceId } = await requireWorkspace(readModel, context.accountId, workspaceRef);
      await settled(remove({ workspaceId, confirmsDefault }, context), context);
      return {};
    },
  } satisfies Partial<Handlers>;
}

function reading({ eventStore, readModel, directory }: WorkspaceRpcDependencies) {
  return {
    async getWorkspaceStatus({ accountId, workspaceId: sent, userId }) {
      const workspaceId = sent.toLowerCase();
      const gone = { isAlive: false, hasUser: false };
      if (!isUuid(workspaceId)) return gone;
      const { state } = await workspaceEvents.load(eventStore, workspaceId);
      if (state.kind !== 'created' || state.accountId !== accountId) return gone;
      if (userId === '') return { isAlive: true, hasUser: false };
      const { isDefault } = state;
      const { state: members } = await workspaceMembersEvents.load(eventStore, workspaceId);
      const asked = { workspace: { accountId, isDefault }, members, userId };
      return { isAlive: true, hasUser: await hasAccess(directory, asked) };
    },
    async getWorkspace({ accountId, workspaceId }) {
      return { workspace: fromRow(await requireWorkspace(readModel, accountId, workspaceId)) };
    },
    async listWorkspaces({ accountId, offset, limit }) {
      requirePage({ offset, limit });
      const [rows, totalCount] = await Promise.all([
        listWorkspaces(readModel, { accountId, offset, limit }),
        countWorkspaces(readModel, accountId),
      ]);
      return { workspaces: rows.map(fromRow), totalCount };
    },
  } satisfies Partial<Handlers>;
}
