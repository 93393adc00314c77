import type { App } from '../../http/app-types.ts';
import { answerRoute, type InferenceDependencies } from '../answer.ts';
import { countBody, messageBody, messageReply, tokenCount } from './schema.ts';

/** Clients of this format expect this of each of its routes. */
const ofAnthropic = {
  errorFormat: 'anthropic',
  takesApiKeyHeader: true,
  // Clients ask for `?beta=true`.
  unknownQuery: 'ignored',
} as const;

export function messagesRoutes(app: App, dependencies: InferenceDependencies): void {
  answerRoute(app, dependencies, {
    url: '/v1/messages',
    dialect: 'messages',
    config: ofAnthropic,
    schema: {
      operationId: 'createMessage',
      summary: "Have a model answer a conversation in Anthropic's format",
      body: messageBody,
      response: { 200: messageReply },
    },
  });
  answerRoute(app, dependencies, {
    url: '/v1/messages/count_tokens',
    dialect: 'count-tokens',
    config: { ...ofAnthropic, errors: [404] },
    schema: {
      operationId: 'countMessageTokens',
      summary: "Count the tokens of a conversation in Anthropic's format",
      body: countBody,
      response: { 200: tokenCount },
    },
  });
}
