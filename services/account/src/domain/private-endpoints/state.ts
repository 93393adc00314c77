import type {
  PrivateEndpointDrafted,
  PrivateEndpointReconfigured,
  PrivateEndpointsEvent,
} from './events.ts';

export type EndpointStatus = 'draft' | 'active' | 'disabled';

/** The upstream of an endpoint, and the declarations of the organization about it. */
export type Upstream = Pick<
  PrivateEndpointReconfigured['data'],
  'upstreamModelId' | 'baseUrl' | 'declaredZdr' | 'declaredRegion'
>;

export interface PrivateEndpoint extends Omit<
  PrivateEndpointDrafted['data'],
  'accountId' | 'idempotency' | 'draftedAt'
> {
  readonly status: EndpointStatus;
  readonly createdAt: string;
  /** Counts the changes of the upstream: a validation belongs to one of them. */
  readonly version: number;
  /** The last validation that passed. */
  readonly validation: Validation | undefined;
  /** The last validation that failed, as text: the same again is no news. */
  readonly lastFailure: string | undefined;
}

export interface Validation {
  readonly workspaceId: string;
  readonly secretId: string;
  readonly validatedAt: string;
}

export interface PrivateEndpoints {
  /** Without deleted ones. */
  readonly endpoints: ReadonlyMap<string, PrivateEndpoint>;
  /** The creations with an idempotency key, the oldest first. Their endpoints may be deleted. */
  readonly creations: ReadonlyMap<string, Creation>;
}

export interface Creation {
  readonly endpointId: string;
  readonly bodyDigest: string;
}

/** Older keys are forgotten: an organization that had so many endpoints creates anew. */
export const creationsMax = 1_000;

export const initial: PrivateEndpoints = { endpoints: new Map(), creations: new Map() };

export function evolve(before: PrivateEndpoints, event: PrivateEndpointsEvent): PrivateEndpoints {
  const { endpointId } = event.data;
  if (event.type === 'PrivateEndpointDrafted') return drafted(before, event.data);
  const endpoint = before.endpoints.get(endpointId);
  if (!endpoint) return before;
  const endpoints = new Map(before.endpoints);
  const after = changed(endpoint, event);
  if (after) endpoints.set(endpointId, after);
  else endpoints.delete(endpointId);
  return { ...before, endpoints };
}

function drafted(
  { endpoints, creations }: PrivateEndpoints,
  data: PrivateEndpointDrafted['data'],
): PrivateEndpoints {
  const { accountId: _accountId, draftedAt, idempotency, ...values } = data;
  const endpoint: PrivateEndpoint = {
    ...values,
    status: 'draft',
    createdAt: draftedAt,
    version: 0,
    validation: undefined,
    lastFailure: undefined,
  };
  return {
    endpoints: new Map(endpoints).set(endpoint.endpointId, endpoint),
    creations: idempotency ? withCreation(creations, endpoint.endpointId, idempotency) : creations,
  };
}

function withCreation(
  before: PrivateEndpoints['creations'],
  endpointId: string,
  { keyDigest, bodyDigest }: NonNullable<PrivateEndpointDrafted['data']['idempotency']>,
): PrivateEndpoints['creations'] {
  const creations = new Map(before).set(keyDigest, { endpointId, bodyDigest });
  const [oldest] = creations.keys();
  if (oldest !== undefined && creations.size > creationsMax) creations.delete(oldest);
  return creations;
}

/** Returns the endpoint after a change; undefined: it is deleted. */
function changed(
  endpoint: PrivateEndpoint,
  event: Exclude<PrivateEndpointsEvent, PrivateEndpointDrafted>,
): PrivateEndpoint | undefined {
  switch (event.type) {
    case 'PrivateEndpointReconfigured': {
      const { upstreamModelId, baseUrl, declaredZdr, declaredRegion } = event.data;
      const upstream = { upstreamModelId, baseUrl, declaredZdr, declaredRegion };
      const none = { validation: undefined, lastFailure: undefined };
      return { ...endpoint, ...upstream, ...none, version: endpoint.version + 1 };
    }
    case 'PrivateEndpointValidated': {
      const { workspaceId, secretId, validatedAt } = event.data;
      const validation = { workspaceId, secretId, validatedAt };
      return { ...endpoint, validation, lastFailure: undefined };
    }
    case 'PrivateEndpointValidationFailed': {
      const { workspaceId, failures } = event.data;
      return { ...endpoint, lastFailure: failureText(workspaceId, failures) };
    }
    case 'PrivateEndpointActivated':
    case 'PrivateEndpointEnabled':
      return { ...endpoint, status: 'active' };
    case 'PrivateEndpointDisabled':
      return { ...endpoint, status: 'disabled' };
    case 'PrivateEndpointRepriced':
      return { ...endpoint, pricing: event.data.pricing };
    case 'PrivateEndpointDeleted':
      return undefined;
  }
}

/** Returns a text that is the same for the same failures. */
export function failureText(
  workspaceId: string,
  failures: readonly { readonly check: string; readonly reason: string }[],
): string {
  return JSON.stringify([workspaceId, ...failures.map(({ check, reason }) => [check, reason])]);
}
