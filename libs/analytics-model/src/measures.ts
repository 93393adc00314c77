/**
 * The amounts that facts add up to. Each is a column of every table that has usage. `optional` ones are NULL until a
 * fact has one, so that a group that never had any answers null and not 0.
 */
export const measures = {
  facts: { optional: false },
  requests: { optional: false },
  failed_requests: { optional: false },
  refused_requests: { optional: false },
  blocked_requests: { optional: false },
  guardrail_requests: { optional: false },
  byok_requests: { optional: false },
  repeated_responses: { optional: false },
  tool_calls: { optional: false },
  input_tokens: { optional: false },
  output_tokens: { optional: false },
  cached_tokens: { optional: false },
  reasoning_tokens: { optional: false },
  service_nano_usd: { optional: false },
  fee_nano_usd: { optional: false },
  byok_nano_usd: { optional: false },
  upstream_nano_usd: { optional: false },
  data_nano_usd: { optional: true },
  cache_nano_usd: { optional: true },
  web_nano_usd: { optional: true },
  web_upstream_nano_usd: { optional: true },
  file_nano_usd: { optional: true },
  file_upstream_nano_usd: { optional: true },
  web_fetch_nano_usd: { optional: true },
  web_fetch_upstream_nano_usd: { optional: true },
  latency_ms: { optional: false },
  latency_count: { optional: false },
  throughput_milli: { optional: false },
  throughput_count: { optional: false },
} as const;

export type Measure = keyof typeof measures;

export const measureNames = Object.keys(measures) as readonly Measure[];

/** An amount for each measure. Null: the measure was never recorded. */
export type Amounts = { readonly [Name in Measure]: bigint | null };
