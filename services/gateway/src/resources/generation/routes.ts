import { Fault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { LedgerClient } from '../../clients/ledger-client.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandIdOf } from '../../http/caller.ts';
import {
  feedbackBody,
  feedbackReply,
  generationContentReply,
  generationQuery,
  generationReply,
} from './schema.ts';
import { generationView } from './view.ts';

export interface GenerationDependencies {
  readonly ledger: LedgerClient;
  readonly ids: Ids;
}

/** Serves the outcome of a generation of the key's account, once the ledger has counted it. */
export function generationRoutes(app: App, { ledger, ids }: GenerationDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/generation',
    config: { auth: 'any', errors: [400, 402, 404, 502, 524, 529] },
    schema: {
      operationId: 'getGeneration',
      summary: 'Read what became of a generation',
      querystring: generationQuery,
      response: { 200: generationReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      return { data: generationView(await ledger.findGeneration(accountId, request.query.id)) };
    },
  });
  app.route({
    method: 'GET',
    url: '/v1/generation/content',
    config: { auth: 'any', errors: [400, 404] },
    schema: {
      operationId: 'getGenerationContent',
      summary: 'Read what was said in a generation: nothing of it is stored',
      querystring: generationQuery,
      response: { 200: generationContentReply },
    },
    // Prompts and answers are in no store of ours: there is none of any generation.
    handler: () => {
      throw new Fault('not_found', {
        message: 'The content of generations is not stored',
        metadata: { reason: 'content_not_stored' },
      });
    },
  });
  app.route({
    method: 'POST',
    url: '/v1/generation/feedback',
    config: { auth: 'management', rate: 'keys', errors: [404] },
    schema: {
      operationId: 'sendGenerationFeedback',
      summary: 'Say what was wrong with a generation',
      body: feedbackBody,
      response: { 200: feedbackReply },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { generation_id: generationId, category, comment } = request.body;
      const feedbackId = commandIdOf(request, ids);
      await ledger.recordFeedback({
        accountId: caller.accountId,
        keyHash: caller.callerId(),
        feedbackId,
        generationId,
        category,
        comment: comment ?? '',
      });
      return { data: { success: true } };
    },
  });
}
