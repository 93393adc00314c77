import type { CatalogView, InferencePort } from '@sluice/inference-port';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewaySettings } from '../../settings.ts';
import type { App } from '../../http/app-types.ts';
import {
  endpointListReply,
  modelEndpointsReply,
  modelListReply,
  modelReply,
  providerListReply,
  retrievedModelReply,
} from './schema.ts';
import { modelName, modelPath, pageQuery } from './query-schema.ts';
import { formatOf } from './routes.ts';
import { sendCatalogReply } from '../../inference/send-catalog-reply.ts';

export interface CatalogDependencies {
  readonly inference: Pick<InferencePort, 'readCatalog'>;
  readonly settings: Pick<GatewaySettings, 'readerStalledTimeoutMs'>;
}

const config = { auth: 'public', rate: 'inference', errors: [], unknownQuery: 'ignored' } as const;
const retrievalConfig = { ...config, negotiatesFormat: true, takesApiKeyHeader: true } as const;

/** One model, its endpoints, and who serves: the same for everybody but for what was measured. */
export function catalogRoutes(app: App, dependencies: CatalogDependencies): void {
  const answer = answerOf(dependencies);
  modelRoutes(app, answer);
  listRoutes(app, answer);
}

type Answer = (
  request: FastifyRequest,
  reply: FastifyReply,
  view: CatalogView,
) => Promise<FastifyReply>;

function answerOf({ inference, settings }: CatalogDependencies): Answer {
  return async (request, reply, view) => {
    // The schemas admit texts only.
    const parameters = { ...(request.query as object), ...(request.params as object) };
    const reportsMeasured = request.caller !== undefined;
    const format = view === 'retrieved-model' ? formatOf(request) : {};
    const { principal } = request.caller ?? {};
    const question = { view, parameters, reportsMeasured, ...format };
    const read = await inference.readCatalog({ ...question, ...(principal && { principal }) });
    const { readerStalledTimeoutMs } = settings;
    const options = { isPublic: !reportsMeasured, readerStalledTimeoutMs };
    return sendCatalogReply(request, reply, read, options);
  };
}

function modelRoutes(app: App, answer: Answer): void {
  app.route({
    method: 'GET',
    url: '/v1/model/:author/:slug',
    config,
    schema: {
      operationId: 'getModel',
      summary: 'Read a model, by its slug or an alias',
      params: modelPath,
      response: { 200: modelReply },
    },
    handler: async (request, reply) => answer(request, reply, 'model'),
  });
  for (const [url, params, operationId] of [
    ['/v1/models/:author/:slug', modelPath, 'retrieveModel'],
    ['/v1/models/:model', modelName, 'retrieveModelByName'],
  ] as const)
    app.route({
      method: 'GET',
      url,
      config: retrievalConfig,
      schema: {
        operationId,
        summary: 'Read a model as the clients of OpenAI and Anthropic do, in no envelope',
        params,
        response: { 200: retrievedModelReply },
      },
      handler: async (request, reply) => answer(request, reply, 'retrieved-model'),
    });
  app.route({
    method: 'GET',
    url: '/v1/models/:author/:slug/endpoints',
    config,
    schema: {
      operationId: 'listModelEndpoints',
      summary: 'List the endpoints that answer for a model',
      params: modelPath,
      response: { 200: modelEndpointsReply },
    },
    handler: async (request, reply) => answer(request, reply, 'endpoints'),
  });
}

function listRoutes(app: App, answer: Answer): void {
  app.route({
    method: 'GET',
    url: '/v1/embeddings/models',
    config: { ...config, errors: [400] },
    schema: {
      operationId: 'listEmbeddingModels',
      summary: 'List the models that answer with embeddings',
      querystring: pageQuery,
      response: { 200: modelListReply },
    },
    handler: async (request, reply) => answer(request, reply, 'embedding-models'),
  });
  app.route({
    method: 'GET',
    url: '/v1/endpoints/zdr',
    config,
    schema: {
      operationId: 'listZeroRetentionEndpoints',
      summary: 'List the endpoints that keep nothing of a request',
      response: { 200: endpointListReply },
    },
    handler: async (request, reply) => answer(request, reply, 'zero-retention-endpoints'),
  });
  app.route({
    method: 'GET',
    url: '/v1/providers',
    config,
    schema: {
      operationId: 'listProviders',
      summary: 'List who serves the models',
      response: { 200: providerListReply },
    },
    handler: async (request, reply) => answer(request, reply, 'providers'),
  });
}
