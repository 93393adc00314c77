import { invalidValue, rejectionToFault, requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import type { ReconfigureEndpoint } from '../../domain/private-endpoints/commands.ts';
import { notFound } from '../../domain/private-endpoints/decide.ts';
import {
  privateEndpointsEvents,
  type PrivateEndpointsHandler,
} from '../../store/private-endpoints-events.ts';
import { regionOf } from './declared-region.ts';
import type { EndpointChecks } from './endpoint-checks.ts';

export interface WantedUpstream {
  readonly endpointId: string;
  readonly upstreamModelId: string;
  /** If undefined, it stays. */
  readonly baseUrl?: string | undefined;
  /** Absent fields are explained at the command. */
  readonly declaredZdr?: { readonly declaredZdr?: boolean | undefined } | undefined;
  readonly declaredRegion?: { readonly declaredRegion?: string | undefined } | undefined;
}

interface ReconfigurationDependencies {
  readonly eventStore: EventStore;
  readonly handle: PrivateEndpointsHandler;
  readonly checks: Pick<EndpointChecks, 'describe'>;
}

/** Changes the upstream of a draft. Throws invalid_request for an address that may not be called. */
export async function reconfigurePrivateEndpoint(
  { eventStore, handle, checks }: ReconfigurationDependencies,
  wanted: WantedUpstream,
  context: ReceivedContext,
) {
  const { accountId, occurredAt } = context;
  const { endpointId, upstreamModelId, baseUrl, declaredZdr, declaredRegion } = wanted;
  const region = declaredRegion && regionOf(declaredRegion.declaredRegion ?? null);
  if (baseUrl !== undefined) {
    const { state } = await privateEndpointsEvents.load(eventStore, accountId);
    const endpoint = state.endpoints.get(endpointId);
    if (!endpoint) throw rejectionToFault(notFound);
    const { modelPermaslug: model, provider } = endpoint;
    const { baseUrlProblem } = await checks.describe({ model, provider, baseUrl });
    if (baseUrlProblem !== undefined) throw invalidValue('base_url', baseUrlProblem);
  }
  const command: ReconfigureEndpoint = {
    type: 'ReconfigureEndpoint',
    accountId,
    endpointId,
    upstreamModelId,
    baseUrl,
    declaredZdr: declaredZdr && (declaredZdr.declaredZdr ?? null),
    declaredRegion: region,
    occurredAt,
  };
  return requireAccepted(await handle(accountId, command, context));
}
