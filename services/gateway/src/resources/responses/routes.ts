import type { App } from '../../http/app-types.ts';
import { answerRoute, type InferenceDependencies } from '../answer.ts';
import { responseBody, responseReply } from './schema.ts';

export function responsesRoutes(app: App, dependencies: InferenceDependencies): void {
  answerRoute(app, dependencies, {
    url: '/v1/responses',
    dialect: 'responses',
    schema: {
      operationId: 'createResponse',
      summary: 'Have a model answer, at once or as a stream of events',
      body: responseBody,
      response: { 200: responseReply },
    },
  });
}
