import { createRemoteCache, type RemoteCache, type RemoteCacheOptions } from '@sluice/remote-cache';
import { Fault } from '@sluice/errors';
import { pricesOf } from '@sluice/catalog';
import type {
  ActiveEndpoint,
  PrivateEndpointUseServiceService,
} from '@sluice/protos/sluice/account/v1/private_endpoint';
import type { Calls } from '@sluice/rpc';

/** Calls about private endpoints, over the network or in the same process. */
export type PrivateEndpointCalls = Calls<PrivateEndpointUseServiceService>;

export interface EndpointsQuestion {
  readonly accountId: string;
}

/** An active endpoint of an organization, with valid rates. */
export interface PrivateEndpoint extends Omit<ActiveEndpoint, 'pricing' | 'declaredRegion'> {
  readonly pricing: { readonly prompt: string; readonly completion: string };
  readonly declaredRegion: 'global' | 'europe' | 'us' | undefined;
}

/** Cached private endpoints of organizations. Most accounts have none. */
export type PrivateEndpoints = RemoteCache<EndpointsQuestion, readonly PrivateEndpoint[]>;

/** An organization has at most 100 of these. */
const endpointsMax = 100;
const regions = ['global', 'europe', 'us'] as const;

export function createPrivateEndpoints(
  options: Omit<
    RemoteCacheOptions<EndpointsQuestion, readonly PrivateEndpoint[]>,
    'groupOf' | 'nameOf'
  >,
): PrivateEndpoints {
  return createRemoteCache({ ...options, groupOf: ({ accountId }) => accountId });
}

/** Throws if the service does not answer or its answer is invalid. Routing then refuses the request. */
export async function askPrivateEndpoints(
  calls: PrivateEndpointCalls,
  question: EndpointsQuestion,
): Promise<readonly PrivateEndpoint[]> {
  const { endpoints } = await calls.listActiveEndpoints(question);
  if (endpoints.length > endpointsMax) throw unknown('more endpoints than there may be');
  return endpoints.map(read);
}

function read({ pricing, declaredRegion, ...endpoint }: ActiveEndpoint): PrivateEndpoint {
  const region = regions.find((known) => known === declaredRegion);
  if (declaredRegion !== undefined && !region) throw unknown('an endpoint with another region');
  if (!pricing) throw unknown('an endpoint without rates');
  try {
    pricesOf(pricing);
  } catch (cause) {
    throw new Fault('internal', { cause });
  }
  return { ...endpoint, pricing, declaredRegion: region };
}

function unknown(what: string): Fault {
  return new Fault('internal', { cause: new Error(what) });
}
