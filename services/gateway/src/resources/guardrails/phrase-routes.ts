import type { GuardrailCalls } from '../../clients/calls.ts';
import type { AccountRoutes } from '../../http/routes/account-routes.ts';
import { allowedPhrasesBody, allowedPhrasesReply } from './phrase-schema.ts';

const path = '/v1/guardrails/allowed-phrases';

/** The phrases of an account that the patterns of prompt injection pass over: an extension of the contract. */
export function allowedPhrasesRoutes(
  routes: AccountRoutes,
  { guardrails }: { readonly guardrails: GuardrailCalls },
): void {
  routes.get(path, {
    operationId: 'getAllowedPhrases',
    summary: 'Read the phrases that the patterns of prompt injection pass over',
    answer: allowedPhrasesReply,
    handle: async ({ accountId }) => ({ data: await guardrails.getAllowedPhrases({ accountId }) }),
  });
  routes.change('PUT', path, {
    operationId: 'setAllowedPhrases',
    summary: 'Replace the phrases that the patterns of prompt injection pass over',
    body: allowedPhrasesBody,
    answer: allowedPhrasesReply,
    config: { errors: [409] },
    handle: async ({ context, body: { phrases } }) => ({
      data: await guardrails.setAllowedPhrases({ context, phrases }),
    }),
  });
}
