import { Fault } from '@sluice/errors';
import type { Ids } from '@sluice/clock-and-ids';
import { decodeContents } from '@sluice/generation-contents';
import type { Caller } from '../../caller/caller.ts';
import type { LedgerCalls, ObserverCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandIdOf } from '../../http/caller.ts';
import { generationContentReply } from './content-schema.ts';
import { contentView } from './content-view.ts';
import { feedbackBody, feedbackReply, generationQuery, generationReply } from './schema.ts';
import { generationView } from './view.ts';

export interface GenerationDependencies {
  readonly ledger: LedgerCalls;
  readonly ids: Ids;
  /** Undefined where there is no observer service. */
  readonly observer: Pick<ObserverCalls, 'getContents'> | undefined;
}

/** A management key reads all contents of its account. */
function readerOf({ accountId, isManagement, principal, userId = '' }: Caller) {
  const reader = isManagement ? undefined : { workspaceId: principal.workspaceId, userId };
  return { accountId, reader };
}

function notStored(error: unknown): never {
  if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
  throw new Fault('not_found', {
    message: 'No content of this generation is stored',
    metadata: { reason: 'content_not_stored' },
  });
}

/** Serves the outcome of a generation of the key's account, once the ledger has counted it. */
export function generationRoutes(
  app: App,
  { ledger, ids, observer }: GenerationDependencies,
): void {
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
      const asked = { accountId, generationId: request.query.id };
      const { generation } = await ledger.getGeneration(asked);
      return { data: generationView(present(generation)) };
    },
  });
  app.route({
    method: 'GET',
    url: '/v1/generation/content',
    config: { auth: 'any', errors: [400, 403, 404] },
    schema: {
      operationId: 'getGenerationContent',
      summary: 'Read the stored messages and the answer of a generation',
      querystring: generationQuery,
      response: { 200: generationContentReply },
    },
    handler: async (request) => {
      if (!observer)
        throw new Fault('unavailable', { message: 'The observer service is not running' });
      const asked = { generationId: request.query.id, ...readerOf(callerOf(request)) };
      const { contents } = await observer.getContents(asked).catch(notStored);
      const read = decodeContents(contents);
      if (!read) throw new Fault('internal', { message: 'The contents cannot be read' });
      return { data: contentView(read) };
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
