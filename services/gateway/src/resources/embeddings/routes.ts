import type { App } from '../../http/app-types.ts';
import { answer, bytesOnly, type InferenceDependencies } from '../answer.ts';
import { sendInferenceReply } from '../../inference/send-inference-reply.ts';
import { embeddingList, embeddingsRequest } from './schema.ts';

export function embeddingsRoutes(app: App, dependencies: InferenceDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/embeddings',
    bodyLimit: dependencies.settings.inferenceBodyBytesMax,
    config: { auth: 'inference', body: 'raw', errors: [402, 404, 422, 502, 524, 529] },
    schema: {
      operationId: 'createEmbeddings',
      summary: 'Have a model make the vectors of texts',
      body: embeddingsRequest,
      response: { 200: embeddingList },
    },
    validatorCompiler: bytesOnly,
    handler: async (request, reply) => {
      const answered = await answer(request, reply, 'embeddings', dependencies);
      return sendInferenceReply(reply, answered, dependencies.settings.readerStalledTimeoutMs);
    },
  });
}
