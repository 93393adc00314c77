import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { Destination } from '../../domain/destination.ts';
import { judgeStatus } from '../judge-status.ts';
import type { Sender } from '../sender.ts';
import { resourceOf } from './span.ts';
import { type Dialect, spansOf } from './spans.ts';

/** The address of a destination, and the headers that it wants. */
export interface OtlpTarget {
  /** The whole URL, with `/v1/traces`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Attributes of the resource that the receiver sorts by. */
  readonly resource?: Readonly<Record<string, string>>;
}

export interface OtlpOptions {
  readonly target: (destination: Destination) => OtlpTarget;
  readonly dialect?: Dialect;
}

const batchMax = 100;
/** A smaller body is not worth the work. */
const gzipBytesMin = 1_024;
const zip = promisify(gzip);

/** Returns a sender that speaks OTLP over HTTP with protobuf. */
export function otlpSender({ target, dialect }: OtlpOptions): Sender {
  return {
    batchMax,
    async requests(destination, batch) {
      const { url, headers = {}, resource: attributes } = target(destination);
      const spans = batch.flatMap((observed) => spansOf(observed, destination.shows, dialect));
      const resource = attributes && resourceOf(attributes);
      const bytes = ProtobufTraceSerializer.serializeRequest(
        resource ? spans.map((span) => ({ ...span, resource })) : [...spans],
      );
      if (!bytes) throw new Error('the spans cannot be serialized');
      const isZipped = bytes.length >= gzipBytesMin;
      return [
        {
          url,
          method: 'POST',
          headers: {
            'content-type': 'application/x-protobuf',
            ...(isZipped && { 'content-encoding': 'gzip' }),
            ...headers,
          },
          body: isZipped ? await zip(bytes) : bytes,
        },
      ];
    },
    judge(reply, { now }) {
      const judged = judgeStatus(reply, now);
      if (judged.outcome !== 'delivered') return judged;
      return rejectedSpans(reply.body) > 0 ? { outcome: 'refused' } : judged;
    },
  };
}

/** A destination may take a request and some of its spans not. An answer in another form says nothing. */
function rejectedSpans(body: Uint8Array): number {
  if (body.length === 0 || body[0] === 0x7b) return 0;
  try {
    const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(body);
    return partialSuccess?.rejectedSpans ?? 0;
  } catch {
    return 0;
  }
}

/** Returns the URL for traces of an endpoint, which may name it already. */
export function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (!url.pathname.endsWith('/v1/traces'))
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}
