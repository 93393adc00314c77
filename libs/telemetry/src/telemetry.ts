import { createRequire } from 'node:module';
import type { Attributes, Meter } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { type GaugeName, gauges } from './gauges.ts';
import { type GaugeRow, OwnInstruments } from './instruments.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { prometheusText } from './prometheus-text.ts';
import { resourceOf } from './resource.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import { noTracing, type Tracing } from './tracing.ts';

export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Adds a gauge that is read with each scrape. It replaces one of the same name and attributes. */
  observe(name: GaugeName, read: () => number, attributes?: Attributes): void;
  /** Adds a gauge whose rows are read with each scrape, without a fault. A row that is gone is shown no more. */
  observeRows(name: GaugeName, read: () => readonly GaugeRow[]): void;
  /** Returns the metrics in the Prometheus text format. */
  prometheus(): Promise<string>;
  stop(): Promise<void>;
}

const scopeName = 'sluice';

export function createTelemetry(options: TelemetryOptions): Telemetry {
  const instruments = new OwnInstruments(scopeName);
  const reader = new PrometheusExporter({
    preventServerStart: true,
    metricProducers: [instruments],
  });
  const resource = resourceOf(options.serviceName);
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter(scopeName);
  const tracesUrl = tracesUrlOf(options);
  const recording =
    tracesUrl === undefined
      ? undefined
      : loadRecording().startRecording({ ...options, tracesUrl, resource, scopeName });
  return {
    metrics: createMetrics(instruments),
    tracing: recording?.tracing ?? noTracing,
    observe: gaugesOf(meter),
    observeRows: (name, read) => instruments.gauge(name, gauges[name], read),
    prometheus: async () => await prometheusText((await reader.collect()).resourceMetrics),
    stop: async () => void (await Promise.allSettled([recording?.stop()])),
  };
}

function tracesUrlOf({ otlpEndpoint, otlpTracesEndpoint }: TelemetryOptions): string | undefined {
  if (otlpTracesEndpoint !== undefined || otlpEndpoint === undefined) return otlpTracesEndpoint;
  return `${otlpEndpoint.replace(/\/$/, '')}/v1/traces`;
}

interface Reading {
  readonly read: () => number;
  readonly attributes: Attributes;
}

function gaugesOf(meter: Meter): Telemetry['observe'] {
  const all = new Map<GaugeName, Map<string, Reading>>();
  function create(name: GaugeName): Map<string, Reading> {
    const readings = new Map<string, Reading>();
    meter.createObservableGauge(name, { description: gauges[name] }).addCallback((result) => {
      for (const { read, attributes } of readings.values())
        try {
          result.observe(read(), attributes);
        } catch {
          // A gauge that cannot be read now is left out of this scrape.
        }
    });
    all.set(name, readings);
    return readings;
  }
  return (name, read, attributes = {}) => {
    (all.get(name) ?? create(name)).set(JSON.stringify(attributes), { read, attributes });
  };
}

/** Loads the recorder only where there is a receiver: it is a good part of a process at rest. */
function loadRecording(): typeof import('./recording.ts') {
  return createRequire(import.meta.url)('./recording.ts');
}
