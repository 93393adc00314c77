import { Fault } from '@sluice/errors';
import type { ActiveEndpoint } from '@sluice/protos/sluice/account/v1/private_endpoint';
import type { PrivateEndpointCalls } from '../private-endpoints/private-endpoints.ts';

/** The active private endpoints of the account service, by their accounts. */
export interface InMemoryPrivateEndpoints extends PrivateEndpointCalls {
  isUp: boolean;
  readonly kept: Map<string, ActiveEndpoint[]>;
  /** The accounts that were asked for. */
  readonly asked: string[];
}

export function inMemoryPrivateEndpoints(): InMemoryPrivateEndpoints {
  const endpoints: InMemoryPrivateEndpoints = {
    isUp: true,
    kept: new Map(),
    asked: [],
    async listActiveEndpoints({ accountId }) {
      endpoints.asked.push(accountId);
      if (!endpoints.isUp) throw new Fault('unavailable');
      return { endpoints: [...(endpoints.kept.get(accountId) ?? [])] };
    },
  };
  return endpoints;
}
