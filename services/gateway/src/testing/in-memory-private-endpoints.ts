import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import type {
  CreatePrivateEndpointResponse,
  EndpointValidation,
  PrivateEndpoint,
} from '@sluice/protos/sluice/account/v1/private_endpoint';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { PrivateEndpointCalls } from '../clients/calls.ts';

/** The account service's calls about private endpoints over a map, without its rules: a test sets `fault`. */
export function inMemoryPrivateEndpoints(organizationId: string, createdAt: string) {
  const endpoints = new Map<string, PrivateEndpoint>();
  const requests: unknown[] = [];
  const state = {
    /** Thrown by the next call. */
    fault: undefined as Fault | undefined,
    failure: undefined as CreatePrivateEndpointResponse['failure'],
    validation: undefined as EndpointValidation | undefined,
  };
  function enter(accountId: string, request: unknown): void {
    requests.push(request);
    if (accountId !== organizationId) throw new Fault('permission_denied');
    const { fault } = state;
    state.fault = undefined;
    if (fault) throw fault;
  }
  function own(endpointId: string): PrivateEndpoint {
    const endpoint = endpoints.get(endpointId.toLowerCase());
    if (!endpoint) throw new Fault('not_found');
    return endpoint;
  }
  function put(endpoint: PrivateEndpoint) {
    endpoints.set(endpoint.endpointId, endpoint);
    return { endpoint };
  }
  type Asked = { readonly context: CommandContext | undefined; readonly endpointId: string };
  const change = (asked: Asked, changes: Partial<PrivateEndpoint>) => {
    enter(asked.context?.accountId ?? '', asked);
    return put({ ...own(asked.endpointId), ...changes });
  };
  const calls: PrivateEndpointCalls = {
    async createPrivateEndpoint(asked) {
      enter(asked.context?.accountId ?? '', asked);
      const { endpoint } = put({
        endpointId: randomUUID(),
        status: asked.activateWorkspaceId && !state.failure ? 'active' : 'draft',
        modelPermaslug: asked.modelPermaslug,
        modelSlug: 'acme/large',
        modelName: 'Large',
        providerName: 'Acme',
        provider: asked.provider,
        isProviderKnown: true,
        baseUrl: asked.baseUrl,
        upstreamModelId: asked.upstreamModelId,
        declaredZdr: asked.declaredZdr,
        declaredRegion: asked.declaredRegion,
        pricing: asked.pricing ?? { prompt: '0', completion: '0' },
        createdAt,
      });
      return { endpoint, validation: state.validation, failure: state.failure };
    },
    async listPrivateEndpoints(asked) {
      enter(asked.accountId, asked);
      return { endpoints: [...endpoints.values()].toReversed() };
    },
    async getPrivateEndpoint(asked) {
      enter(asked.accountId, asked);
      return { endpoint: own(asked.endpointId) };
    },
    reconfigurePrivateEndpoint: async (asked) =>
      change(asked, { upstreamModelId: asked.upstreamModelId }),
    async validatePrivateEndpoint(asked) {
      enter(asked.context?.accountId ?? '', asked);
      own(asked.endpointId);
      return { validation: state.validation };
    },
    activatePrivateEndpoint: async (asked) => change(asked, { status: 'active' }),
    enablePrivateEndpoint: async (asked) => change(asked, { status: 'active' }),
    disablePrivateEndpoint: async (asked) => change(asked, { status: 'disabled' }),
    repricePrivateEndpoint: async (asked) => change(asked, { pricing: asked.pricing }),
    async deletePrivateEndpoint(asked) {
      enter(asked.context?.accountId ?? '', asked);
      endpoints.delete(own(asked.endpointId).endpointId);
      return {};
    },
  };
  return Object.assign(state, { calls, endpoints, requests });
}
