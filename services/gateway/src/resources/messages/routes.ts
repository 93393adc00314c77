import type { App } from '../../http/app-types.ts';
import { sendInferenceReply } from '../../inference/send-inference-reply.ts';
import { answer, bytesOnly, type InferenceDependencies } from '../answer.ts';
import { countBody, messageBody, messageReply, tokenCount } from './schema.ts';

/** Clients of this format expect this of each of its routes. */
const ofAnthropic = {
  auth: 'inference',
  body: 'raw',
  errorFormat: 'anthropic',
  takesApiKeyHeader: true,
  // Clients ask for `?beta=true`.
  unknownQuery: 'ignored',
} as const;

export function messagesRoutes(app: App, dependencies: InferenceDependencies): void {
  const { inferenceBodyBytesMax: bodyLimit, readerStalledTimeoutMs } = dependencies.settings;
  app.route({
    method: 'POST',
    url: '/v1/messages',
    bodyLimit,
    config: { ...ofAnthropic, errors: [402, 404, 422, 502, 524, 529] },
    schema: {
      operationId: 'createMessage',
      summary: "Have a model answer a conversation in Anthropic's format",
      body: messageBody,
      response: { 200: messageReply },
    },
    validatorCompiler: bytesOnly,
    handler: async (request, reply) => {
      const answered = await answer(request, reply, 'messages', dependencies);
      return sendInferenceReply(reply, answered, readerStalledTimeoutMs);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/messages/count_tokens',
    bodyLimit,
    config: { ...ofAnthropic, errors: [404] },
    schema: {
      operationId: 'countMessageTokens',
      summary: "Estimate the tokens of a conversation in Anthropic's format",
      body: countBody,
      response: { 200: tokenCount },
    },
    validatorCompiler: bytesOnly,
    handler: async (request, reply) => {
      const answered = await answer(request, reply, 'count-tokens', dependencies);
      return sendInferenceReply(reply, answered, readerStalledTimeoutMs);
    },
  });
}
