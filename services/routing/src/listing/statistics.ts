/** Of what was measured in the last half hour. */
export interface Percentiles {
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p99: number;
}

/** How an endpoint has done lately, as far as this replica saw it. */
export interface EndpointStatistics {
  /** To the first token; null: nothing was measured. */
  readonly latencyMs: Percentiles | null;
  readonly tokensPerSecond: Percentiles | null;
  /** Percent of the requests that were served; null: there were none. */
  readonly uptime5m: number | null;
  readonly uptime30m: number | null;
  readonly uptime1d: number | null;
  readonly requestCount: number;
}

/** By the id of an endpoint; undefined: nothing is known of it. */
export type StatisticsOf = (endpointId: string) => EndpointStatistics | undefined;
