import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';

type ReadableSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

export type Attributes = ReadableSpan['attributes'];
export type SpanEvent = ReadableSpan['events'][number];

export interface SpanParts {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  readonly endMs: number;
  /** Absent values are left out. */
  readonly attributes: Attributes;
  /** The reason of a failure. Undefined: it did not fail. */
  readonly failure: string | undefined;
  readonly events?: readonly SpanEvent[];
}

const traceFlagSampled = 1;

export type Resource = ReadableSpan['resource'];

/** Returns a resource of OpenTelemetry: where spans come from. */
export function resourceOf(attributes: Readonly<Record<string, string>> = {}): Resource {
  const all = { 'service.name': 'sluice', ...attributes };
  const resource: Resource = {
    attributes: all,
    merge: () => resource,
    getRawAttributes: () => Object.entries(all),
  };
  return resource;
}

const ownResource = resourceOf();
const instrumentationScope: ReadableSpan['instrumentationScope'] = { name: 'sluice.observer' };

/** Returns a span in the form that the serializer of OpenTelemetry takes. */
export function span(parts: SpanParts): ReadableSpan {
  const { traceId, spanId, parentSpanId, name, kind, startMs, failure, events = [] } = parts;
  const endMs = Math.max(startMs, parts.endMs);
  const contextOf = (id: string) => ({ traceId, spanId: id, traceFlags: traceFlagSampled });
  return {
    name,
    kind,
    spanContext: () => contextOf(spanId),
    ...(parentSpanId !== undefined && { parentSpanContext: contextOf(parentSpanId) }),
    startTime: timeOf(startMs),
    endTime: timeOf(endMs),
    duration: timeOf(endMs - startMs),
    status:
      failure === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: failure },
    attributes: definedOf(parts.attributes),
    links: [],
    events: [...events],
    ended: true,
    resource: ownResource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

export function timeOf(atMs: number): [seconds: number, nanoseconds: number] {
  const seconds = Math.floor(atMs / 1_000);
  return [seconds, Math.round((atMs - seconds * 1_000) * 1_000_000)];
}

export function definedOf(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== undefined && value !== ''),
  );
}
