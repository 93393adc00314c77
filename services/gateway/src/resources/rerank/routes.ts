import type { App } from '../../http/app-types.ts';
import { answerRoute, type InferenceDependencies } from '../answer.ts';
import { rankedDocuments, rerankRequest } from './schema.ts';

export function rerankRoutes(app: App, dependencies: InferenceDependencies): void {
  answerRoute(app, dependencies, {
    url: '/v1/rerank',
    dialect: 'rerank',
    schema: {
      operationId: 'rerankDocuments',
      summary: 'Have a model rank documents by their relevance to a query',
      body: rerankRequest,
      response: { 200: rankedDocuments },
    },
  });
}
