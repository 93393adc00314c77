import type { App } from '../../http/app-types.ts';
import { sendInferenceReply } from '../../inference/send-inference-reply.ts';
import { answer, bytesOnly, type InferenceDependencies } from '../answer.ts';
import { messageBody, messageReply } from './schema.ts';

export function messagesRoutes(app: App, dependencies: InferenceDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/messages',
    bodyLimit: dependencies.settings.inferenceBodyBytesMax,
    config: {
      auth: 'inference',
      body: 'raw',
      errors: [402, 404, 422, 502, 524, 529],
      errorFormat: 'anthropic',
      takesApiKeyHeader: true,
      // Clients ask for `?beta=true`.
      unknownQuery: 'ignored',
    },
    schema: {
      operationId: 'createMessage',
      summary: "Have a model answer a conversation in Anthropic's format",
      body: messageBody,
      response: { 200: messageReply },
    },
    validatorCompiler: bytesOnly,
    handler: async (request, reply) => {
      const answered = await answer(request, reply, 'messages', dependencies);
      return sendInferenceReply(reply, answered, dependencies.settings.readerStalledTimeoutMs);
    },
  });
}
