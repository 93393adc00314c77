import { createRequire } from 'node:module';
import { GaugeReadings } from './gauge-readings.ts';
import type { GaugeName } from './gauges.ts';
import { Instruments } from './instruments.ts';
import type { Point } from './metric.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { prometheusText } from './prometheus-text.ts';
import { noTracing, type Tracing } from './tracing.ts';

export interface TelemetryOptions {
  readonly serviceName: string;
  /** Base URL of an OTLP/HTTP receiver; undefined: no spans are made. */
  readonly otlpEndpoint: string | undefined;
}

export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** A gauge that is read when the metrics are asked for. */
  observe(name: GaugeName, read: () => number, attributes?: Point['attributes']): void;
  /** The Prometheus text format. */
  prometheus(): Promise<string>;
  stop(): Promise<void>;
}

const scopeName = 'sluice';

export function createTelemetry({ serviceName, otlpEndpoint }: TelemetryOptions): Telemetry {
  const instruments = new Instruments();
  const readings = new GaugeReadings();
  const recording =
    otlpEndpoint === undefined
      ? undefined
      : loadRecording().startRecording({ serviceName, scopeName, endpoint: otlpEndpoint });
  return {
    metrics: createMetrics(instruments),
    tracing: recording?.tracing ?? noTracing,
    observe: (name, read, attributes = {}) => readings.observe(name, read, attributes),
    prometheus: async () =>
      prometheusText({ serviceName, scopeName }, [...readings.read(), ...instruments.read()]),
    stop: async () => void (await Promise.allSettled([recording?.stop()])),
  };
}

/** What records spans is a good part of a process at rest, and few have a receiver. */
function loadRecording(): typeof import('./recording.ts') {
  return createRequire(import.meta.url)('./recording.ts');
}
