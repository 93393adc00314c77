import type { Measure } from './measures.ts';
import type { SketchName } from './sketch.ts';

export type DisplayFormat = 'number' | 'currency' | 'percent' | 'latency' | 'throughput';

/** The calculation of a metric from the measures of a group. */
export type MetricValue =
  /** The sum of some measures. */
  | { readonly kind: 'sum'; readonly of: readonly Measure[] }
  /** One sum over another, times `scale`. Null where the divisor is 0. */
  | {
      readonly kind: 'ratio';
      readonly of: readonly Measure[];
      readonly to: readonly Measure[];
      readonly scale: number;
    }
  | { readonly kind: 'quantile'; readonly of: SketchName; readonly at: number };

export interface Metric {
  readonly label: string;
  readonly format: DisplayFormat;
  readonly isRate: boolean;
  /** The longest time range, in days. */
  readonly days: number;
  readonly value: MetricValue;
}

const year = 365;
const month = 31;

type Options = Pick<Metric, 'format' | 'days'>;

function sum(label: string, of: readonly Measure[], { format, days }: Options): Metric {
  return { label, format, isRate: false, days, value: { kind: 'sum', of } };
}

const count = (label: string, of: readonly Measure[], days = year) =>
  sum(label, of, { format: 'number', days });
const currency = (label: string, of: readonly Measure[], days = year) =>
  sum(label, of, { format: 'currency', days });

function ratio(
  label: string,
  of: readonly Measure[],
  to: readonly Measure[],
  { format, days, scale = 1 }: Options & { readonly scale?: number },
): Metric {
  return { label, format, isRate: true, days, value: { kind: 'ratio', of, to, scale } };
}

function quantile(label: string, of: SketchName, at: number): Metric {
  return { label, format: of, isRate: true, days: month, value: { kind: 'quantile', of, at } };
}

const credits = ['service_nano_usd', 'fee_nano_usd'] as const;

/** Every metric that can be asked for: a row each. */
export const metrics = {
  request_count: count('Requests', ['requests']),
  tokens_total: count('Total tokens', ['input_tokens', 'output_tokens']),
  tokens_prompt: count('Prompt tokens', ['input_tokens']),
  tokens_completion: count('Completion tokens', ['output_tokens']),
  reasoning_tokens: count('Reasoning tokens', ['reasoning_tokens']),
  cached_tokens: count('Cached tokens', ['cached_tokens']),
  byok_request_count: count('BYOK requests', ['byok_requests']),
  guardrail_invoked_count: count('Guardrail detections', ['guardrail_requests'], month),
  response_cached_count: count('Cached responses', ['repeated_responses'], month),
  failed_request_count: count('Failed requests', ['failed_requests'], month),
  refused_request_count: count('Refused requests', ['refused_requests'], month),
  tool_call_count: count('Paid tool calls', ['tool_calls'], month),
  total_usage: currency('Total usage', [...credits, 'byok_nano_usd']),
  byok_usage: currency('BYOK usage', ['byok_nano_usd']),
  credits_usage: currency('Credits usage', credits),
  service_usage: currency('Service usage', ['service_nano_usd'], month),
  byok_fees: currency('BYOK fees', ['fee_nano_usd'], month),
  usage_upstream: currency('Upstream cost', ['upstream_nano_usd']),
  usage_cache: currency('Caching', ['cache_nano_usd']),
  usage_data: currency('Data logging', ['data_nano_usd']),
  usage_web: currency('Web search', ['web_nano_usd']),
  usage_upstream_web: currency('Web search, upstream cost', ['web_upstream_nano_usd']),
  usage_file: currency('File parsing', ['file_nano_usd'], month),
  usage_upstream_file: currency('File parsing, upstream cost', ['file_upstream_nano_usd'], month),
  usage_web_fetch: currency('Web fetch', ['web_fetch_nano_usd'], month),
  usage_upstream_web_fetch: currency(
    'Web fetch, upstream cost',
    ['web_fetch_upstream_nano_usd'],
    month,
  ),
  avg_latency: ratio('Average latency', ['latency_ms'], ['latency_count'], {
    format: 'latency',
    days: month,
  }),
  p50_latency: quantile('Latency, 50th percentile', 'latency', 0.5),
  p90_latency: quantile('Latency, 90th percentile', 'latency', 0.9),
  p99_latency: quantile('Latency, 99th percentile', 'latency', 0.99),
  avg_throughput: ratio('Average throughput', ['throughput_milli'], ['throughput_count'], {
    format: 'throughput',
    days: month,
    scale: 0.001,
  }),
  p50_throughput: quantile('Throughput, 50th percentile', 'throughput', 0.5),
  p90_throughput: quantile('Throughput, 90th percentile', 'throughput', 0.9),
  p99_throughput: quantile('Throughput, 99th percentile', 'throughput', 0.99),
  cache_hit_rate: ratio('Cache hit rate', ['cached_tokens'], ['input_tokens'], {
    format: 'percent',
    days: year,
  }),
  guardrail_invoked_rate: ratio(
    'Guardrail detection rate',
    ['guardrail_requests'],
    ['requests', 'blocked_requests'],
    { format: 'percent', days: month },
  ),
  response_cached_rate: ratio('Response cache hit rate', ['repeated_responses'], ['requests'], {
    format: 'percent',
    days: month,
  }),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

export const metricNames = Object.keys(metrics) as readonly MetricName[];

/** Returns the metric as the table describes it, without the types of its row. */
export function metricOf(name: MetricName): Metric {
  return metrics[name];
}
