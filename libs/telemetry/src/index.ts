export { type GaugeName, gauges } from './gauges.ts';
export type { Metrics } from './metrics.ts';
export { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.ts';
export { spanAttributes } from './span-attributes.ts';
export {
  type ActiveSpan,
  noTracing,
  type SpanOptions,
  traceField,
  type Tracing,
} from './tracing.ts';
