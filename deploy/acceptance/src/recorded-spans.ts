import type { Collector } from './collector.ts';

type Value = string | number | boolean | readonly Value[] | undefined;

/** A span as the receiver got it. */
export interface Span {
  readonly name: string;
  /** OTLP: 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, Value>>;
}

interface WireValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly WireValue[] };
}

interface WireSpan extends Omit<Span, 'attributes'> {
  readonly attributes: readonly { readonly key: string; readonly value: WireValue }[];
}

/** Returns all spans that the collector has received. */
export function spansOf({ received }: Collector): readonly Span[] {
  return received.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: WireSpan[] }[] }[];
    };
    return resourceSpans
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      .map((span) => ({ ...span, attributes: attributesOf(span) }));
  });
}

function attributesOf({ attributes }: WireSpan): Span['attributes'] {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, intValue, doubleValue, boolValue, arrayValue }: WireValue): Value {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? doubleValue ?? boolValue ?? arrayValue?.values.map(valueOf);
}
