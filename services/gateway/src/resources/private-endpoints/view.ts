import type {
  EndpointValidation,
  PrivateEndpoint,
} from '@sluice/protos/sluice/account/v1/private_endpoint';
import { present } from '../../clients/present.ts';
import type { EndpointSummary, FullEndpoint, ManagedEndpoint, ValidationView } from './schema.ts';

function placeOf(endpoint: PrivateEndpoint) {
  return {
    id: endpoint.endpointId,
    // The account service knows these three.
    status: endpoint.status as EndpointSummary['status'],
    model_permaslug: endpoint.modelPermaslug,
    model_slug: endpoint.modelSlug ?? null,
    model_name: endpoint.modelName ?? null,
    provider_name: endpoint.providerName,
  };
}

function declarationsOf({ declaredZdr, declaredRegion }: PrivateEndpoint) {
  return {
    declared_zdr: declaredZdr ?? null,
    declared_region: (declaredRegion ?? null) as ManagedEndpoint['declared_region'],
  };
}

export function endpointSummaryView(endpoint: PrivateEndpoint): EndpointSummary {
  return { ...placeOf(endpoint), created_at: endpoint.createdAt };
}

export function managedEndpointView(sent: PrivateEndpoint | undefined): ManagedEndpoint {
  const endpoint = present(sent);
  return { ...endpointSummaryView(endpoint), ...declarationsOf(endpoint) };
}

export function fullEndpointView(sent: PrivateEndpoint | undefined): FullEndpoint {
  const endpoint = present(sent);
  const { prompt, completion } = present(endpoint.pricing);
  return {
    ...placeOf(endpoint),
    provider_slug: endpoint.isProviderKnown ? endpoint.provider : null,
    base_url: endpoint.baseUrl ?? null,
    upstream_model_id: endpoint.upstreamModelId,
    ...declarationsOf(endpoint),
    pricing: { prompt, completion },
  };
}

export function validationView({ passed, checks }: EndpointValidation): ValidationView {
  return {
    passed,
    checks: checks.map(({ name, passed: isPassed, reason, ...told }) => ({
      name,
      passed: isPassed,
      ...(reason !== '' && { reason }),
      ...(told.actualModel !== undefined && { actual_model: told.actualModel }),
      ...(told.upstreamMessage !== undefined && { upstream_message: told.upstreamMessage }),
      ...(told.upstreamStatus !== undefined && { upstream_status: told.upstreamStatus }),
    })),
  };
}
