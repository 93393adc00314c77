import { createHash } from 'node:crypto';
import { derivedId } from '@sluice/clock-and-ids';
import { Fault, invalidValue, requireAccepted } from '@sluice/errors';
import type { Position } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import type { DraftEndpoint } from '../../domain/private-endpoints/commands.ts';
import type { EndpointPricing } from '../../domain/private-endpoints/events.ts';
import type { PrivateEndpoint } from '../../domain/private-endpoints/state.ts';
import type { PrivateEndpointsHandler } from '../../store/private-endpoints-events.ts';
import { regionOf } from './declared-region.ts';
import type { EndpointChecks } from './endpoint-checks.ts';

export interface WantedEndpoint {
  readonly model: string;
  readonly provider: string;
  readonly upstreamModelId: string;
  readonly baseUrl: string | null;
  readonly declaredZdr: boolean | null;
  readonly declaredRegion: string | null;
  /** If undefined, the price of the catalog counts. */
  readonly pricing: EndpointPricing | undefined;
  /** Empty: none. */
  readonly idempotencyKey: string;
}

export interface CreatedEndpoint {
  readonly endpoint: PrivateEndpoint;
  readonly position: Position | undefined;
  /** An earlier request with the same idempotency key made it. */
  readonly isRepeated: boolean;
}

interface CreationDependencies {
  readonly handle: PrivateEndpointsHandler;
  readonly checks: Pick<EndpointChecks, 'describe'>;
}

const free: EndpointPricing = { prompt: '0', completion: '0' };

/** Makes a draft of a model and a provider that the catalog has. Throws not_found, invalid_request and conflict. */
export async function createPrivateEndpoint(
  { handle, checks }: CreationDependencies,
  wanted: WantedEndpoint,
  context: ReceivedContext,
): Promise<CreatedEndpoint> {
  const { accountId, commandId, occurredAt } = context;
  const { model, provider, baseUrl } = wanted;
  const declaredRegion = regionOf(wanted.declaredRegion);
  const found = await checks.describe({ model, provider, baseUrl });
  if (!found.model) throw notFound(`There is no model ${model}`, 'model_not_found');
  if (!found.provider) throw notFound(`There is no provider ${provider}`, 'provider_not_found');
  if (found.baseUrlProblem !== undefined) throw invalidValue('base_url', found.baseUrlProblem);
  const endpointId = derivedId('private endpoint', accountId, commandId);
  const command: DraftEndpoint = {
    type: 'DraftEndpoint',
    accountId,
    endpointId,
    modelPermaslug: found.model.canonicalSlug,
    provider,
    providerName: found.provider.title,
    upstreamModelId: wanted.upstreamModelId,
    baseUrl,
    declaredZdr: wanted.declaredZdr,
    declaredRegion,
    pricing: wanted.pricing ?? found.pricing ?? free,
    idempotency: idempotencyOf(wanted),
    occurredAt,
  };
  const { state, position } = requireAccepted(await handle(accountId, command, context));
  const { keyDigest } = command.idempotency ?? {};
  const first = keyDigest === undefined ? undefined : state.creations.get(keyDigest)?.endpointId;
  const endpoint = state.endpoints.get(first ?? endpointId);
  if (!endpoint) throw notFound('The endpoint of this request was deleted', 'endpoint_not_found');
  return { endpoint, position, isRepeated: endpoint.endpointId !== endpointId };
}

function notFound(message: string, reason: string): Fault {
  return new Fault('not_found', { message, metadata: { reason } });
}

/** The key may hold anything, and the values are compared alone. */
function idempotencyOf(wanted: WantedEndpoint): DraftEndpoint['idempotency'] {
  const { idempotencyKey, model, provider, upstreamModelId, baseUrl } = wanted;
  if (idempotencyKey === '') return null;
  const { declaredZdr, declaredRegion, pricing } = wanted;
  const prices = pricing ? [pricing.prompt, pricing.completion] : null;
  const place = [model, provider, upstreamModelId, baseUrl];
  return {
    keyDigest: digest(idempotencyKey),
    bodyDigest: digest(JSON.stringify([...place, declaredZdr, declaredRegion, prices])),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
