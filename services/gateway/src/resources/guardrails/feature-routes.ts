import type { Ids } from '@sluice/clock-and-ids';
import type { GuardrailCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { unsupportedFeaturesBody, unsupportedFeaturesReply } from './feature-schema.ts';

export interface UnsupportedFeaturesDependencies {
  readonly guardrails: GuardrailCalls;
  readonly ids: Ids;
}

const config = { auth: 'management', errors: [] } as const;

/** Routes of the account-wide mode for features that nothing serves: an extension of the contract. */
export function unsupportedFeaturesRoutes(
  app: App,
  dependencies: UnsupportedFeaturesDependencies,
): void {
  readUnsupportedFeatures(app, dependencies);
  setUnsupportedFeatures(app, dependencies);
}

function readUnsupportedFeatures(app: App, { guardrails }: UnsupportedFeaturesDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/guardrails/unsupported-features',
    config,
    schema: {
      operationId: 'getUnsupportedFeatures',
      summary: 'Read whether features that nothing serves are left out of requests, or refused',
      response: { 200: unsupportedFeaturesReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      return settingView(await guardrails.getUnsupportedFeaturesMode({ accountId }));
    },
  });
}

function setUnsupportedFeatures(
  app: App,
  { guardrails, ids }: UnsupportedFeaturesDependencies,
): void {
  app.route({
    method: 'PUT',
    url: '/v1/guardrails/unsupported-features',
    config: { ...config, errors: [409] },
    schema: {
      operationId: 'setUnsupportedFeatures',
      summary: 'Set whether features that nothing serves are left out of requests, or refused',
      body: unsupportedFeaturesBody,
      response: { 200: unsupportedFeaturesReply },
    },
    handler: async (request) => {
      const context = commandContextOf(request, ids);
      const { unsupported_features: mode } = request.body;
      return settingView(await guardrails.setUnsupportedFeaturesMode({ context, mode }));
    },
  });
}

function settingView({ mode }: { readonly mode: string }) {
  const setting: 'lenient' | 'strict' = mode === 'strict' ? 'strict' : 'lenient';
  return { data: { unsupported_features: setting } };
}
