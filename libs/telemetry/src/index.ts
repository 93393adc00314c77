export { type GaugeName, gauges } from './gauges.ts';
export type { Metrics } from './metrics.ts';
export { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.ts';
export type { ActiveSpan, SpanOptions, Tracing } from './tracing.ts';
