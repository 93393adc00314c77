import type { App } from '../../http/app-types.ts';
import { answerRoute, type InferenceDependencies } from '../answer.ts';
import { completionBody, completionReply } from './schema.ts';

export function chatCompletionsRoutes(app: App, dependencies: InferenceDependencies): void {
  answerRoute(app, dependencies, {
    url: '/v1/chat/completions',
    dialect: 'chat-completions',
    schema: {
      operationId: 'createChatCompletion',
      summary: 'Have a model answer a conversation, at once or as a stream of chunks',
      body: completionBody,
      response: { 200: completionReply },
    },
  });
}
