/** The samplers that OpenTelemetry names in `OTEL_TRACES_SAMPLER`. */
export const samplerNames = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

export interface SamplerSettings {
  readonly name: (typeof samplerNames)[number];
  /** Share of the traces that a `traceidratio` records, from 0 to 1. */
  readonly ratio: number;
}

export interface TelemetryOptions {
  /** `OTEL_SERVICE_NAME` replaces it. */
  readonly serviceName: string;
  /** Base URL of an OTLP/HTTP receiver; undefined: no spans are made. */
  readonly otlpEndpoint: string | undefined;
  /** Whole URL for spans. It replaces the base URL. */
  readonly otlpTracesEndpoint?: string | undefined;
  /** Which traces are recorded. All by default. */
  readonly sampling?: SamplerSettings;
  readonly batching?: BatchSettings;
}

/** The OpenTelemetry names and defaults of `OTEL_BSP_…`. */
export interface BatchSettings {
  readonly scheduledDelayMillis: number;
  readonly exportTimeoutMillis: number;
  readonly maxQueueSize: number;
  readonly maxExportBatchSize: number;
}
