import type {
  EndpointCheckServiceService,
  DescribedModel,
} from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import type { Calls } from '@sluice/rpc';
import type { EndpointChecks, NamedModel } from '../commands/private-endpoints/endpoint-checks.ts';

/** Asks routing. */
export function rpcEndpointChecks(calls: Calls<EndpointCheckServiceService>): EndpointChecks {
  return {
    async describe({ model, provider, baseUrl }) {
      const asked = { model, provider, baseUrl: baseUrl ?? undefined };
      const found = await calls.describeEndpoint(asked);
      return {
        model: found.model && namedModel(found.model),
        provider: found.provider,
        pricing: found.pricing,
        baseUrlProblem: found.baseUrlProblem === '' ? undefined : found.baseUrlProblem,
      };
    },
    async names({ models, providers }) {
      const asked = { models: [...models], providers: [...providers] };
      const found = await calls.describeNames(asked);
      return {
        models: new Map(found.models.map((model) => [model.name, namedModel(model)])),
        providers: new Map(found.providers.map((provider) => [provider.slug, provider])),
      };
    },
    check: ({ baseUrl, ...endpoint }) =>
      calls.checkEndpoint({ ...endpoint, baseUrl: baseUrl ?? undefined }),
    async usableSecrets(asked) {
      return (await calls.listUsableSecrets(asked)).secretIds;
    },
  };
}

function namedModel({ canonicalSlug, slug, title }: DescribedModel): NamedModel {
  return { canonicalSlug, slug, title };
}
