import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { App } from '../app-types.ts';
import { modelsReply } from '../schemas/inference.ts';
import { sendInferenceReply } from '../send-inference-reply.ts';
import type { InferenceDependencies } from './responses.ts';

/** Choices of the contract that nothing stands behind yet: who asks for one must not get all models. */
const notBuilt: ReadonlySet<string> = new Set([
  'offset',
  'limit',
  'q',
  'category',
  'supported_parameters',
  'input_modalities',
  'output_modalities',
  'sort',
  'context',
  'min_price',
  'max_price',
  'min_output_price',
  'max_output_price',
  'arch',
  'model_authors',
  'providers',
  'distillable',
  'zdr',
  'region',
  'min_age_days',
  'max_age_days',
  'min_intelligence_index',
  'max_intelligence_index',
  'min_coding_index',
  'max_coding_index',
  'min_agentic_index',
  'max_agentic_index',
  'min_tool_success_rate',
  'max_tool_success_rate',
  'use_rss',
  'use_rss_chat_links',
]);

/** The public catalogue, for everybody. */
export function modelsRoutes(app: App, { inference, settings }: InferenceDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/models',
    config: { auth: 'public', rate: 'inference', errors: [400] },
    schema: {
      operationId: 'listModels',
      summary: 'List the models that can be called',
      response: { 200: modelsReply },
    },
    handler: async (request, reply) => {
      const issues = Object.keys(request.query as object)
        .filter((name) => notBuilt.has(name))
        .map((path) => ({ path, message: 'is not supported yet' }));
      if (issues.length > 0) throw rejectionToFault(invalidRequest(issues));
      return sendInferenceReply(
        reply,
        await inference.listModels(),
        settings.readerStalledTimeoutMs,
      );
    },
  });
}
