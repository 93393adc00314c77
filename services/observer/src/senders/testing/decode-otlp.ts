/** A span as a receiver reads it. */
export interface ReadSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly status: { readonly code: number; readonly message: string };
}

type Field = readonly [number: number, value: bigint | Uint8Array];

/**
 * Reads an ExportTraceServiceRequest by the field numbers of `trace_service.proto`, `trace.proto` and `common.proto` of
 * OpenTelemetry, without any code of the writer.
 */
export function decodeOtlp(body: Uint8Array): readonly ReadSpan[] {
  return messagesOf(body, 1) // ExportTraceServiceRequest.resource_spans
    .flatMap((resource) => messagesOf(resource, 2)) // ResourceSpans.scope_spans
    .flatMap((scope) => messagesOf(scope, 2)) // ScopeSpans.spans
    .map(spanOf);
}

/** Reads the attributes of each resource of such a request. */
export function decodeResources(body: Uint8Array): readonly Readonly<Record<string, unknown>>[] {
  return messagesOf(body, 1) // ExportTraceServiceRequest.resource_spans
    .flatMap((resource) => messagesOf(resource, 1)) // ResourceSpans.resource
    .map((resource) => attributesOf(resource, 1)); // Resource.attributes
}

function spanOf(bytes: Uint8Array): ReadSpan {
  const [status] = messagesOf(bytes, 15);
  return {
    traceId: hexOf(bytes, 1),
    spanId: hexOf(bytes, 2),
    parentSpanId: hexOf(bytes, 4),
    name: textOf(bytes, 5),
    kind: Number(numberOf(bytes, 6)),
    startNanos: numberOf(bytes, 7),
    endNanos: numberOf(bytes, 8),
    attributes: attributesOf(bytes, 9),
    events: messagesOf(bytes, 11).map((event) => ({
      name: textOf(event, 2),
      attributes: attributesOf(event, 3),
    })),
    status: status
      ? { code: Number(numberOf(status, 3)), message: textOf(status, 2) }
      : { code: 0, message: '' },
  };
}

function attributesOf(bytes: Uint8Array, field: number): Readonly<Record<string, unknown>> {
  const pairs = messagesOf(bytes, field).map((pair): [string, unknown] => {
    const [value = new Uint8Array()] = messagesOf(pair, 2);
    return [textOf(pair, 1), valueOf(value)];
  });
  return Object.fromEntries(pairs);
}

/** AnyValue. */
function valueOf(bytes: Uint8Array): unknown {
  const [field] = fieldsOf(bytes);
  if (!field) return undefined;
  const [number, value] = field;
  if (typeof value === 'bigint') {
    if (number === 2) return value === 1n;
    return number === 3 ? Number(BigInt.asIntN(64, value)) : undefined;
  }
  if (number === 1) return Buffer.from(value).toString();
  if (number === 4) return Buffer.from(value).readDoubleLE();
  if (number === 5) return messagesOf(value, 1).map(valueOf);
  return undefined;
}

function messagesOf(bytes: Uint8Array, wanted: number): readonly Uint8Array[] {
  return fieldsOf(bytes).flatMap(([number, value]) =>
    number === wanted && typeof value !== 'bigint' ? [value] : [],
  );
}

const bytesOf = (bytes: Uint8Array, field: number) =>
  Buffer.from(messagesOf(bytes, field)[0] ?? new Uint8Array());
const textOf = (bytes: Uint8Array, field: number) => bytesOf(bytes, field).toString();
const hexOf = (bytes: Uint8Array, field: number) => bytesOf(bytes, field).toString('hex');

/** A varint, or a fixed64. */
function numberOf(bytes: Uint8Array, wanted: number): bigint {
  const found = fieldsOf(bytes).find(([number]) => number === wanted)?.[1];
  if (found === undefined) return 0n;
  return typeof found === 'bigint' ? found : Buffer.from(found).readBigUInt64LE();
}

/** Reads the fields of a message in the wire format of protobuf. */
function fieldsOf(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('a varint is cut off');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const [number, wire] = [key >> 3, key & 7];
    if (wire === 0) {
      fields.push([number, varint()]);
      continue;
    }
    const length = wire === 1 ? 8 : wire === 5 ? 4 : Number(varint());
    if (wire !== 1 && wire !== 2 && wire !== 5) throw new Error(`wire type ${wire}`);
    if (at + length > bytes.length) throw new Error('a field is cut off');
    fields.push([number, bytes.subarray(at, at + length)]);
    at += length;
  }
  return fields;
}
