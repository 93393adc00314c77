import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { samplerOf } from './sampler.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import type { Tracing } from './tracing.ts';

export interface Recording {
  readonly tracing: Tracing;
  /** Sends the pending spans first. */
  stop(): Promise<void>;
}

export interface RecordingOptions extends Pick<TelemetryOptions, 'sampling' | 'batching'> {
  readonly resource: Resource;
  /** Names the code that makes the spans. */
  readonly scopeName: string;
  readonly tracesUrl: string;
}

/** Records spans and sends them to the receiver in batches. */
export function startRecording(options: RecordingOptions): Recording {
  const { resource, scopeName, tracesUrl, sampling, batching } = options;
  // The exporter reads the OTEL_EXPORTER_OTLP_… for headers, certificates, time limit and compression.
  const exporter = new OTLPTraceExporter({ url: tracesUrl });
  const tracers = new TracerProvider({
    resource,
    sampler: samplerOf(sampling),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batching })],
  });
  return {
    tracing: recordingTracing(tracers.getTracer(scopeName)),
    stop: () => tracers.shutdown(),
  };
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function recordingTracing(tracer: Tracer): Tracing {
  return {
    isRecording: true,
    start(name, { kind, parent, attributes, startedAtMs }) {
      const options = {
        kind: kinds[kind],
        ...(startedAtMs !== undefined && { startTime: startedAtMs }),
      };
      const span = tracer.startSpan(name, options, parentContext(parent));
      // A trace that is not sampled pays for no attributes. No sampler reads them.
      const isSampled = span.isRecording();
      if (isSampled && attributes) span.setAttributes(attributes());
      const { traceId, spanId, traceFlags } = span.spanContext();
      const flags = traceFlags.toString(16).padStart(2, '0');
      return {
        traceparent: `00-${traceId}-${spanId}-${flags}`,
        set: (more) => void (isSampled && span.setAttributes(more())),
        end(errorType) {
          if (errorType !== undefined) {
            span.setAttribute('error.type', errorType);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
  };
}

function parentContext(traceparent: string | undefined) {
  const match = traceparentPattern.exec(traceparent ?? '');
  if (!match) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = match;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
