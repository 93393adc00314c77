import type { App } from '../../http/app-types.ts';
import { answer, bytesOnly, type InferenceDependencies } from '../answer.ts';
import { sendInferenceReply } from '../../inference/send-inference-reply.ts';
import { responseBody, responseReply } from './schema.ts';

export function responsesRoutes(app: App, dependencies: InferenceDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/responses',
    bodyLimit: dependencies.settings.inferenceBodyBytesMax,
    config: { auth: 'inference', body: 'raw', errors: [402, 404, 422, 502, 524, 529] },
    schema: {
      operationId: 'createResponse',
      summary: 'Have a model answer, at once or as a stream of events',
      body: responseBody,
      response: { 200: responseReply },
    },
    validatorCompiler: bytesOnly,
    handler: async (request, reply) => {
      const answered = await answer(request, reply, 'responses', dependencies);
      return sendInferenceReply(reply, answered, dependencies.settings.readerStalledTimeoutMs);
    },
  });
}
