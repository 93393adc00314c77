import type { Attributes } from '@opentelemetry/api';

/** A span, passed on by its W3C `traceparent` and never by ambient context. */
export interface ActiveSpan {
  /** undefined when nothing is recorded and nothing came in. */
  readonly traceparent: string | undefined;
  /** Adds the attributes. The function is not called where nothing is recorded. */
  set(attributes: () => Attributes): void;
  /** Ends it; `errorType` marks it failed. */
  end(errorType?: string): void;
}

export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly parent: string | undefined;
  /** Called only if the span is recorded, so that requests without a receiver of spans pay nothing. */
  readonly attributes?: () => Attributes;
  /** Milliseconds since 1970 of a start that has passed. */
  readonly startedAtMs?: number;
}

export interface Tracing {
  /** False without an OTLP endpoint. */
  readonly isRecording: boolean;
  start(name: string, options: SpanOptions): ActiveSpan;
}

const nothing = () => {};

/** Without an OTLP endpoint: hands an incoming traceparent on and records nothing. */
export const noTracing: Tracing = {
  isRecording: false,
  start: (_name, { parent }) => ({ traceparent: parent, set: nothing, end: nothing }),
};

const traceIdStart = '00-'.length;
const traceIdLength = 32;

/** Returns the field of a log line that names the trace; none without a trace. The traceparent must be valid. */
export function traceField(traceparent: string | undefined): { readonly traceId?: string } {
  if (traceparent === undefined || traceparent === '') return {};
  return { traceId: traceparent.slice(traceIdStart, traceIdStart + traceIdLength) };
}
