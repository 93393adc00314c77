import { derivedId } from '@sluice/clock-and-ids';
import { Fault, requireAccepted } from '@sluice/errors';
import type { ModelAlias as AliasMessage } from '@sluice/protos/sluice/workspace/v1/model_alias';
import { commandContext } from '@sluice/rpc';
import type { ModelAliasesCommand } from '../domain/model-aliases/commands.ts';
import {
  findAlias,
  initial,
  type ModelAlias,
  type ModelAliases,
} from '../domain/model-aliases/state.ts';
import { findModelAliases } from '../queries/find-model-aliases.ts';
import { modelAliasesEvents } from '../store/model-aliases-events.ts';
import type { Handlers, WorkspaceRpcDependencies } from './dependencies.ts';
import { requireWorkspace } from './require-workspace.ts';

/** Changes and lists the aliases of an account. */
export function aliasCalls(dependencies: WorkspaceRpcDependencies) {
  const { eventStore, readModel, clock, publishChange, shown } = dependencies;
  const handle = modelAliasesEvents.handler(eventStore);

  async function carryOut(
    command: ModelAliasesCommand,
    context: ReturnType<typeof commandContext>,
  ): Promise<ModelAliases> {
    const { accountId, signal } = context;
    const handled = requireAccepted(await handle(accountId, command, context));
    await shown.aliases(handled.position, signal);
    if (handled.events.length > 0) publishChange({ accountId });
    return handled.state;
  }

  /** Returns null for an alias of the whole account. Throws not_found for a workspace of another account. */
  async function placeOf(accountId: string, workspaceRef: string): Promise<string | null> {
    if (workspaceRef === '') return null;
    return (await requireWorkspace(readModel, accountId, workspaceRef)).workspaceId;
  }

  return {
    async setModelAlias({ context: sent, workspaceRef, name, models, ...request }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt, commandId } = context;
      const workspaceId = await placeOf(accountId, workspaceRef);
      const place = { accountId, workspaceId, name };
      const state = await carryOut(
        {
          type: 'SetModelAlias',
          ...place,
          aliasId: derivedId('model alias', accountId, commandId),
          models,
          budgetModel: request.budgetModel || null,
          description: request.description || null,
          occurredAt,
        },
        context,
      );
      const alias = findAlias(state.aliases, place);
      // A command that is sent again may find that the alias was deleted meanwhile.
      if (!alias) throw new Fault('not_found');
      return { alias: aliasMessage(alias) };
    },
    async deleteModelAlias({ context: sent, workspaceRef, name }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const workspaceId = await placeOf(accountId, workspaceRef);
      await carryOut(
        { type: 'DeleteModelAlias', accountId, workspaceId, name, occurredAt },
        context,
      );
      return {};
    },
    async listModelAliases({ accountId }) {
      const { aliases } = await aliasesOf(readModel, accountId);
      return { aliases: aliases.toSorted(byName).map(aliasMessage) };
    },
  } satisfies Partial<Handlers>;
}

/** Returns the aliases of an account, from the read model. */
export async function aliasesOf(
  readModel: WorkspaceRpcDependencies['readModel'],
  accountId: string,
): Promise<ModelAliases> {
  const found = await findModelAliases(readModel, accountId);
  return (found as ModelAliases | undefined) ?? initial;
}

export function aliasMessage({
  workspaceId,
  budgetModel,
  description,
  models,
  ...alias
}: ModelAlias): AliasMessage {
  return {
    ...alias,
    models: [...models],
    workspaceId: workspaceId ?? '',
    budgetModel: budgetModel ?? '',
    description: description ?? '',
  };
}

function byName(one: ModelAlias, other: ModelAlias): number {
  const key = ({ name, workspaceId }: ModelAlias) => `${name} ${workspaceId ?? ''}`;
  return key(one) < key(other) ? -1 : 1;
}
