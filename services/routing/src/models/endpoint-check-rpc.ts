import { EndpointCheckServiceService } from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import { implement, type RpcService } from '@sluice/rpc';
import { type CheckDeps, checkEndpoint } from '../private-endpoints/check-endpoint.ts';
import {
  describedModel,
  describedProvider,
  pricingAt,
  servableModel,
} from '../private-endpoints/describe.ts';

/** Answers the account service about private endpoints. */
export function endpointCheckRpc(deps: CheckDeps): RpcService {
  const { catalog, credentials, addresses } = deps;
  return implement(EndpointCheckServiceService, {
    async describeEndpoint({ model: name, provider, baseUrl }) {
      const model = servableModel(catalog, name);
      return {
        model: describedModel(catalog, name),
        provider: describedProvider(catalog, provider),
        pricing: model && pricingAt(model, provider),
        baseUrlProblem: baseUrl === undefined ? '' : (addresses.problemOf(baseUrl) ?? ''),
      };
    },
    async describeNames({ models, providers }) {
      return {
        models: models.flatMap((name) => describedModel(catalog, name) ?? []),
        providers: providers.flatMap((slug) => describedProvider(catalog, slug) ?? []),
      };
    },
    checkEndpoint: (asked) => checkEndpoint(deps, asked),
    async listUsableSecrets({ accountId, workspaceId, provider }) {
      const { credentials: usable } = await credentials.listUsable({ accountId, workspaceId });
      const ofProvider = usable.filter(({ credential }) => credential?.provider === provider);
      return { secretIds: ofProvider.map(({ secretId }) => secretId) };
    },
  });
}
