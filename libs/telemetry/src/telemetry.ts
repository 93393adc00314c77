import type { Attributes } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type GaugeName, gauges } from './gauges.ts';
import { Instruments } from './instruments.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { noTracing, recordingTracing, type Tracing } from './tracing.ts';

export interface TelemetryOptions {
  readonly serviceName: string;
  /** Base URL of an OTLP/HTTP receiver; undefined: no spans are made. */
  readonly otlpEndpoint: string | undefined;
}

export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** A gauge that is read when the metrics are asked for. */
  observe(name: GaugeName, read: () => number, attributes?: Attributes): void;
  /** The Prometheus text format. */
  prometheus(): Promise<string>;
  stop(): Promise<void>;
}

/** Reads when asked; the admin port serves what it reads. */
class PullReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const meterName = 'sluice';

export function createTelemetry({ serviceName, otlpEndpoint }: TelemetryOptions): Telemetry {
  const resource = resourceFromAttributes({ 'service.name': serviceName });
  const instruments = new Instruments();
  const scopeMetrics = () => [{ scope: { name: meterName }, metrics: instruments.read() }];
  const collect = async () => ({
    resourceMetrics: { resource, scopeMetrics: scopeMetrics() },
    errors: [],
  });
  const reader = new PullReader({ metricProducers: [{ collect }] });
  const meters = new MeterProvider({ resource, readers: [reader] });
  const meter = meters.getMeter(meterName);
  const serializer = new PrometheusSerializer();
  const tracers = otlpEndpoint === undefined ? undefined : tracerProvider(resource, otlpEndpoint);
  return {
    metrics: createMetrics(instruments),
    tracing: tracers ? recordingTracing(tracers.getTracer(meterName)) : noTracing,
    observe(name, read, attributes = {}) {
      meter
        .createObservableGauge(name, { description: gauges[name] })
        .addCallback((result) => result.observe(read(), attributes));
    },
    prometheus: async () => serializer.serialize((await reader.collect()).resourceMetrics),
    async stop() {
      await Promise.allSettled([meters.shutdown(), tracers?.shutdown()]);
    },
  };
}

function tracerProvider(
  resource: ReturnType<typeof resourceFromAttributes>,
  endpoint: string,
): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  return new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter })] });
}
