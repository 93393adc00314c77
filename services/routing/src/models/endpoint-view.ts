import type { CatalogEndpoint, Model } from '@sluice/catalog';
import { architectureView } from './model-view.ts';
import { shownEndpoints } from './shown-endpoints.ts';
import type { EndpointStatistics, StatisticsOf } from './statistics.ts';

export interface EndpointViewOptions {
  readonly statistics: StatisticsOf;
  /** True if the caller has a key, and sees measured values. */
  readonly isAuthenticated: boolean;
}

/** A model with the endpoints that answer for it. */
export function endpointsView(model: Model, options: EndpointViewOptions): object {
  return {
    id: model.id,
    name: model.name,
    created: model.created,
    description: model.description,
    architecture: architectureView(model),
    endpoints: shownEndpoints(model).map((endpoint) => endpointView(model, endpoint, options)),
  };
}

export function endpointView(
  model: Model,
  endpoint: CatalogEndpoint,
  { statistics, isAuthenticated }: EndpointViewOptions,
): object {
  const measured = statistics(endpoint.id);
  const shown = isAuthenticated ? measured : undefined;
  const { supportedParameters: parameters } = endpoint;
  const choosesTools = parameters.has('tool_choice');
  return {
    name: `${endpoint.providerName} | ${model.id}`,
    model_id: model.id,
    model_name: model.name,
    provider_name: endpoint.providerName,
    tag: endpoint.tag,
    context_length: endpoint.contextLength ?? model.contextLength ?? null,
    max_prompt_tokens: endpoint.promptTokensMax ?? null,
    max_completion_tokens: endpoint.outputTokensMax ?? null,
    quantization: endpoint.quantization === 'unknown' ? null : endpoint.quantization,
    pricing: endpoint.pricing,
    supported_parameters: [...parameters],
    supports_implicit_caching: endpoint.cachesImplicitly,
    supports_voice_cloning: false,
    supports_tool_choice: {
      auto: parameters.has('tools'),
      none: choosesTools,
      required: choosesTools,
      function: choosesTools,
    },
    status: statusOf(measured),
    uptime_last_5m: shown?.uptime5m ?? null,
    uptime_last_30m: shown?.uptime30m ?? null,
    uptime_last_1d: shown?.uptime1d ?? null,
    latency_last_30m: shown?.latencyMs ?? null,
    throughput_last_30m: shown?.tokensPerSecond ?? null,
    ...(shown && { perf_last_30m_by_workload: { text_generation: performanceView(shown) } }),
  };
}

function performanceView({ latencyMs, tokensPerSecond, requestCount }: EndpointStatistics): object {
  return {
    latency: latencyMs ?? null,
    throughput: tokensPerSecond ?? null,
    request_count: requestCount,
  };
}

/** Percent of the requests of half an hour that were served, at least → what it is called. */
const degradations = [
  [95, 0],
  [80, -1],
  [50, -2],
  [20, -3],
  [1, -5],
] as const;
const disabled = -10;

/** 0: as it should be, or nothing speaks against it; the lower, the worse. */
export function statusOf(measured: EndpointStatistics | undefined): number {
  const uptime = measured?.uptime30m;
  if (uptime === undefined) return 0;
  return degradations.find(([percent]) => uptime >= percent)?.[1] ?? disabled;
}
