import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Tracing } from './tracing.ts';

export interface Recording {
  readonly tracing: Tracing;
  /** Sends the pending spans first. */
  stop(): Promise<void>;
}

export interface RecordingOptions {
  readonly serviceName: string;
  /** Names the code that makes the spans. */
  readonly scopeName: string;
  /** Base URL of an OTLP/HTTP receiver. */
  readonly endpoint: string;
}

/** Records spans and sends them to the receiver in batches. */
export function startRecording({ serviceName, scopeName, endpoint }: RecordingOptions): Recording {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const tracers = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
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
        ...(attributes && { attributes: attributes() }),
        ...(startedAtMs !== undefined && { startTime: startedAtMs }),
      };
      const span = tracer.startSpan(name, options, parentContext(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      const flags = traceFlags.toString(16).padStart(2, '0');
      return {
        traceparent: `00-${traceId}-${spanId}-${flags}`,
        set: (more) => void span.setAttributes(more()),
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
