import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { InferencePort } from '@sluice/inference-port';
import type { ModelAlias } from '@sluice/protos/sluice/workspace/v1/model_alias';
import type { WorkspaceCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { deletedReply } from '../../http/schemas/replies.ts';
import { assertKnownModel, isKnownModel } from '../workspaces/known-model.ts';
import {
  modelAliasListReply,
  modelAliasParams,
  modelAliasQuery,
  modelAliasReply,
  type ModelAliasView,
  setModelAliasBody,
} from './schema.ts';

export interface ModelAliasesDependencies {
  readonly workspaces: WorkspaceCalls;
  readonly ids: Ids;
  /** Knows which models there are. */
  readonly inference: Pick<InferencePort, 'readCatalog'>;
}

const url = '/v1/model-aliases/:author/:slug';

/** The names of an account that stand for models of the catalog. */
export function modelAliasesRoutes(app: App, dependencies: ModelAliasesDependencies): void {
  const { ids } = dependencies;
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [400, 404] });
  readRoutes(routes, dependencies);
  changeRoutes(routes, dependencies);
}

function readRoutes(routes: AccountRoutes, { workspaces }: ModelAliasesDependencies): void {
  routes.get('/v1/model-aliases', {
    operationId: 'listModelAliases',
    summary: 'List the aliases of models, by their names',
    answer: modelAliasListReply,
    config: { errors: [] },
    handle: async ({ accountId }) => {
      const { aliases } = await workspaces.listModelAliases({ accountId });
      return { data: aliases.map(aliasView) };
    },
  });
  routes.get(url, {
    operationId: 'getModelAlias',
    summary: 'Read an alias of models',
    params: modelAliasParams,
    query: modelAliasQuery,
    answer: modelAliasReply,
    handle: async ({ accountId, params, query: { workspace_id: named } }) => {
      const workspaceId =
        named === undefined
          ? ''
          : present((await workspaces.getWorkspace({ accountId, workspaceId: named })).workspace)
              .workspaceId;
      const { aliases } = await workspaces.listModelAliases({ accountId });
      const found = aliases.find(
        (one) => one.name === nameOf(params) && one.workspaceId === workspaceId,
      );
      if (!found) throw new Fault('not_found');
      return { data: aliasView(found) };
    },
  });
}

function changeRoutes(
  routes: AccountRoutes,
  { workspaces, inference }: ModelAliasesDependencies,
): void {
  routes.change('PUT', url, {
    operationId: 'setModelAlias',
    summary: 'Let a name stand for models of the catalog, in their order',
    params: modelAliasParams,
    query: modelAliasQuery,
    body: setModelAliasBody,
    answer: modelAliasReply,
    handle: async ({ context, params, query, body }) => {
      const name = nameOf(params);
      const { models, budget_model: budgetModel, description } = body;
      await Promise.all([
        assertFree(inference, name),
        assertKnownModel(inference, 'budget_model', budgetModel),
        ...models.map((model, index) => assertKnownModel(inference, `models.${index}`, model)),
      ]);
      const { alias } = await workspaces.setModelAlias({
        context,
        workspaceRef: query.workspace_id ?? '',
        name,
        models,
        budgetModel: budgetModel ?? '',
        description: description ?? '',
      });
      return { data: aliasView(present(alias)) };
    },
  });
  routes.change('DELETE', url, {
    operationId: 'deleteModelAlias',
    summary: 'Delete an alias of models',
    params: modelAliasParams,
    query: modelAliasQuery,
    answer: deletedReply,
    handle: async ({ context, params, query }) => {
      const workspaceRef = query.workspace_id ?? '';
      await workspaces.deleteModelAlias({ context, workspaceRef, name: nameOf(params) });
      return { deleted: true };
    },
  });
}

/** Throws invalid_request for a name that a model has: an alias would hide it, or never serve. */
async function assertFree(
  inference: ModelAliasesDependencies['inference'],
  name: string,
): Promise<void> {
  if (!(await isKnownModel(inference, name))) return;
  const message = `${name} is a model already`;
  throw rejectionToFault(invalidRequest([{ path: 'name', message }]));
}

function nameOf({ author, slug }: { readonly author: string; readonly slug: string }): string {
  return `${author}/${slug}`;
}

function aliasView(alias: ModelAlias): ModelAliasView {
  return {
    id: alias.aliasId,
    name: alias.name,
    workspace_id: alias.workspaceId || null,
    models: alias.models,
    budget_model: alias.budgetModel || null,
    description: alias.description || null,
    version: alias.version,
    created_at: alias.createdAt,
    updated_at: alias.updatedAt,
  };
}
