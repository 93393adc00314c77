import type { GuardrailCalls } from '../../clients/calls.ts';
import type { AccountRoutes } from '../../http/routes/account-routes.ts';
import { unsupportedFeaturesBody, unsupportedFeaturesReply } from './feature-schema.ts';

const path = '/v1/guardrails/unsupported-features';

/** Routes of the account-wide mode for features that nothing serves: an extension of the contract. */
export function unsupportedFeaturesRoutes(
  routes: AccountRoutes,
  { guardrails }: { readonly guardrails: GuardrailCalls },
): void {
  routes.get(path, {
    operationId: 'getUnsupportedFeatures',
    summary: 'Read whether features that nothing serves are left out of requests, or refused',
    answer: unsupportedFeaturesReply,
    handle: async ({ accountId }) =>
      settingView(await guardrails.getUnsupportedFeaturesMode({ accountId })),
  });
  routes.change('PUT', path, {
    operationId: 'setUnsupportedFeatures',
    summary: 'Set whether features that nothing serves are left out of requests, or refused',
    body: unsupportedFeaturesBody,
    answer: unsupportedFeaturesReply,
    config: { errors: [409] },
    handle: async ({ context, body: { unsupported_features: mode } }) =>
      settingView(await guardrails.setUnsupportedFeaturesMode({ context, mode })),
  });
}

function settingView({ mode }: { readonly mode: string }) {
  const setting: 'lenient' | 'strict' = mode === 'strict' ? 'strict' : 'lenient';
  return { data: { unsupported_features: setting } };
}
