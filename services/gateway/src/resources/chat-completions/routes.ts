import type { App } from '../../http/app-types.ts';
import { sendInferenceReply } from '../../inference/send-inference-reply.ts';
import { answer, bytesOnly, type InferenceDependencies } from '../answer.ts';
import { completionBody, completionReply } from './schema.ts';

export function chatCompletionsRoutes(app: App, dependencies: InferenceDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/chat/completions',
    bodyLimit: dependencies.settings.inferenceBodyBytesMax,
    config: { auth: 'inference', body: 'raw', errors: [402, 404, 422, 502, 524, 529] },
    schema: {
      operationId: 'createChatCompletion',
      summary: 'Have a model answer a conversation, at once or as a stream of chunks',
      body: completionBody,
      response: { 200: completionReply },
    },
    validatorCompiler: bytesOnly,
    handler: async (request, reply) => {
      const answered = await answer(request, reply, 'chat-completions', dependencies);
      return sendInferenceReply(reply, answered, dependencies.settings.readerStalledTimeoutMs);
    },
  });
}
