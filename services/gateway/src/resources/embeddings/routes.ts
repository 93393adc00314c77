import type { App } from '../../http/app-types.ts';
import { answerRoute, type InferenceDependencies } from '../answer.ts';
import { embeddingList, embeddingsRequest } from './schema.ts';

export function embeddingsRoutes(app: App, dependencies: InferenceDependencies): void {
  answerRoute(app, dependencies, {
    url: '/v1/embeddings',
    dialect: 'embeddings',
    schema: {
      operationId: 'createEmbeddings',
      summary: 'Have a model make the vectors of texts',
      body: embeddingsRequest,
      response: { 200: embeddingList },
    },
  });
}
