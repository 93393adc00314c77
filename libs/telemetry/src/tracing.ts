import type { Attributes } from '@opentelemetry/api';

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

const nothing = () => {};

/** Without an OTLP endpoint: hands an incoming traceparent on and records nothing. */
export const noTracing: Tracing = {
  start: (_name, { parent }) => ({ traceparent: parent, set: nothing, end: nothing }),
};
