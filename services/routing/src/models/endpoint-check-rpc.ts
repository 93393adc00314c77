import type { Catalog } from '@sluice/catalog';
import { Fault } from '@sluice/errors';
import { EndpointCheckServiceService } from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import { implement, type RpcService } from '@sluice/rpc';
import type { CredentialCalls } from '../credentials/ask-credentials.ts';
import {
  describedModel,
  describedProvider,
  pricingAt,
  servableModel,
} from '../private-endpoints/describe.ts';

export interface EndpointCheckDeps {
  readonly catalog: Pick<Catalog, 'find' | 'listed' | 'providers'>;
  readonly credentials: CredentialCalls;
}

/** Answers the account service about private endpoints. */
export function endpointCheckRpc({ catalog, credentials }: EndpointCheckDeps): RpcService {
  return implement(EndpointCheckServiceService, {
    async describeEndpoint({ model: name, provider }) {
      const model = servableModel(catalog, name);
      return {
        model: describedModel(catalog, name),
        provider: describedProvider(catalog, provider),
        pricing: model && pricingAt(model, provider),
        baseUrlProblem: '',
      };
    },
    async describeNames({ models, providers }) {
      return {
        models: models.flatMap((name) => describedModel(catalog, name) ?? []),
        providers: providers.flatMap((slug) => describedProvider(catalog, slug) ?? []),
      };
    },
    async checkEndpoint() {
      throw new Fault('not_implemented');
    },
    async listUsableSecrets({ accountId, workspaceId, provider }) {
      const { credentials: usable } = await credentials.listUsable({ accountId, workspaceId });
      const ofProvider = usable.filter(({ credential }) => credential?.provider === provider);
      return { secretIds: ofProvider.map(({ secretId }) => secretId) };
    },
  });
}
