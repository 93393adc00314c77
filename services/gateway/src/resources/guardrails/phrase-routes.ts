import type { Ids } from '@sluice/clock-and-ids';
import type { GuardrailCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { allowedPhrasesBody, allowedPhrasesReply } from './phrase-schema.ts';

export interface AllowedPhrasesDependencies {
  readonly guardrails: GuardrailCalls;
  readonly ids: Ids;
}

const config = { auth: 'management', errors: [] } as const;

/** The phrases of an account that the patterns of prompt injection pass over: an extension of the contract. */
export function allowedPhrasesRoutes(app: App, dependencies: AllowedPhrasesDependencies): void {
  readAllowedPhrases(app, dependencies);
  setAllowedPhrases(app, dependencies);
}

function readAllowedPhrases(app: App, { guardrails }: AllowedPhrasesDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/guardrails/allowed-phrases',
    config,
    schema: {
      operationId: 'getAllowedPhrases',
      summary: 'Read the phrases that the patterns of prompt injection pass over',
      response: { 200: allowedPhrasesReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      return { data: await guardrails.getAllowedPhrases({ accountId }) };
    },
  });
}

function setAllowedPhrases(app: App, { guardrails, ids }: AllowedPhrasesDependencies): void {
  app.route({
    method: 'PUT',
    url: '/v1/guardrails/allowed-phrases',
    config: { ...config, errors: [409] },
    schema: {
      operationId: 'setAllowedPhrases',
      summary: 'Replace the phrases that the patterns of prompt injection pass over',
      body: allowedPhrasesBody,
      response: { 200: allowedPhrasesReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const { phrases } = request.body;
      return { data: await guardrails.setAllowedPhrases({ context, phrases }) };
    },
  });
}
