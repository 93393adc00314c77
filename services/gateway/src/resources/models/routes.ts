import type { CatalogQuestion, InferencePort } from '@sluice/inference-port';
import type { FastifyRequest } from 'fastify';
import type { AccountCache } from '../../accounts/account-cache.ts';
import type { GatewaySettings } from '../../settings.ts';
import { type App, asksForAnthropic } from '../../http/app-types.ts';
import { callerOf } from '../../http/caller.ts';
import { countQuery, modelsQuery, pageQuery } from './query-schema.ts';
import { modelCountReply, modelListOrFeedReply, modelListReply } from './schema.ts';
import { sendCatalogReply } from '../../inference/send-catalog-reply.ts';

export interface ModelsDependencies {
  readonly inference: Pick<InferencePort, 'readCatalog'>;
  readonly accountCache: Pick<AccountCache, 'filteredCatalog'>;
  readonly settings: Pick<GatewaySettings, 'readerStalledTimeoutMs'>;
}

const config = {
  auth: 'public',
  rate: 'inference',
  errors: [400],
  unknownQuery: 'ignored',
} as const;
const modelsConfig = { ...config, negotiatesFormat: true, takesApiKeyHeader: true } as const;

/** The lists of models: those of everybody, and those that a key can be used for. */
export function modelsRoutes(app: App, dependencies: ModelsDependencies): void {
  const { inference, settings } = dependencies;
  const { readerStalledTimeoutMs } = settings;
  app.route({
    method: 'GET',
    url: '/v1/models',
    config: modelsConfig,
    schema: {
      operationId: 'listModels',
      summary: 'List the models that can be called',
      querystring: modelsQuery,
      response: { 200: modelListOrFeedReply },
    },
    handler: async (request, reply) => {
      const question = await questionOf(request, request.query, dependencies);
      const isPublic = question.principal === undefined;
      const options = { isPublic, readerStalledTimeoutMs };
      const answer = await inference.readCatalog({ ...question, ...formatOf(request) });
      return sendCatalogReply(request, reply, answer, options);
    },
  });
  app.route({
    method: 'GET',
    url: '/v1/models/user',
    config: { auth: 'inference', rate: 'inference', errors: [400, 404], unknownQuery: 'ignored' },
    schema: {
      operationId: 'listUsableModels',
      summary: 'List the models that the key can be used for',
      querystring: pageQuery,
      response: { 200: modelListReply },
    },
    handler: async (request, reply) => {
      const answer = await inference.readCatalog({
        view: 'user-models',
        parameters: request.query,
        reportsMeasured: true,
        principal: callerOf(request).principal,
      });
      const options = { isPublic: false, readerStalledTimeoutMs };
      return sendCatalogReply(request, reply, answer, options);
    },
  });
  app.route({
    method: 'GET',
    url: '/v1/models/count',
    config,
    schema: {
      operationId: 'countModels',
      summary: 'Count the models that can be called',
      querystring: countQuery,
      response: { 200: modelCountReply },
    },
    handler: async (request, reply) => {
      const { query: parameters } = request;
      const question = { view: 'models-count', parameters, reportsMeasured: false } as const;
      const options = { isPublic: true, readerStalledTimeoutMs };
      return sendCatalogReply(request, reply, await inference.readCatalog(question), options);
    },
  });
}

/** Returns the form that the client reads models in. */
export function formatOf(request: FastifyRequest): Pick<CatalogQuestion, 'format'> {
  return asksForAnthropic(request) ? { format: 'anthropic' } : {};
}

/** Returns the question for a list. If the organization wants it so, its keys see only models that they can use. */
async function questionOf(
  { caller }: FastifyRequest,
  parameters: CatalogQuestion['parameters'],
  { accountCache }: ModelsDependencies,
): Promise<CatalogQuestion> {
  if (!caller) return { view: 'models', parameters, reportsMeasured: false };
  const filtered = await accountCache.filteredCatalog(caller.accountId);
  const { principal } = caller;
  // A management key is of no workspace.
  const workspaceId = principal.workspaceId || filtered.defaultWorkspaceId;
  const asked = { parameters, reportsMeasured: true, principal: { ...principal, workspaceId } };
  return { view: filtered.isFiltered ? 'usable-models' : 'models', ...asked };
}
