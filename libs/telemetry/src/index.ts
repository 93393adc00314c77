export { type GaugeName, gauges } from './gauges.ts';
export type { GaugeRow } from './instruments.ts';
export type { Metrics } from './metrics.ts';
export { createTelemetry, type Telemetry } from './telemetry.ts';
export { samplerNames, type TelemetryOptions } from './telemetry-options.ts';
export { spanAttributes } from './span-attributes.ts';
export {
  type ActiveSpan,
  noTracing,
  type SpanOptions,
  traceField,
  type Tracing,
} from './tracing.ts';
