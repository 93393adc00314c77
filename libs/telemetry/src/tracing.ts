import {
  type Attributes,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';

/** A span, passed on by its W3C `traceparent` and never by ambient context. */
export interface ActiveSpan {
  /** undefined when nothing is recorded and nothing came in. */
  readonly traceparent: string | undefined;
  set(attributes: Attributes): void;
  /** Ends it; `errorType` marks it failed. */
  end(errorType?: string): void;
}

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'internal';
  readonly parent: string | undefined;
  readonly attributes?: Attributes;
}

export interface Tracing {
  start(name: string, options: SpanOptions): ActiveSpan;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const nothing = () => {};

/** Without an OTLP endpoint: hands an incoming traceparent on and records nothing. */
export const noTracing: Tracing = {
  start: (_name, { parent }) => ({ traceparent: parent, set: nothing, end: nothing }),
};

export function recordingTracing(tracer: Tracer): Tracing {
  return {
    start(name, { kind, parent, attributes }) {
      const options = { kind: kinds[kind], ...(attributes ? { attributes } : {}) };
      const span = tracer.startSpan(name, options, parentContext(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      const flags = traceFlags.toString(16).padStart(2, '0');
      return {
        traceparent: `00-${traceId}-${spanId}-${flags}`,
        set: (more) => void span.setAttributes(more),
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
