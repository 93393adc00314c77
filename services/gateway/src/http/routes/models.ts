import type { App } from '../app-types.ts';
import { sendInferenceReply } from '../send-inference-reply.ts';
import type { InferenceDependencies } from './responses.ts';

/** The public catalogue, for everybody. */
export function modelsRoutes(app: App, { inference, settings }: InferenceDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/models',
    config: { auth: 'public', rate: 'inference' },
    handler: async (_request, reply) =>
      sendInferenceReply(reply, await inference.listModels(), settings.readerStalledTimeoutMs),
  });
}
