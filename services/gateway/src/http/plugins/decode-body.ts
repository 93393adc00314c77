import type { Readable, Transform } from 'node:stream';
import { PassThrough } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { Fault } from '@sluice/errors';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app-types.ts';
import type { BodyBudget } from './body-budget.ts';

const chunkSize = 64 * 1024;
/** RFC 9659: 8 MiB. A frame with a larger window would take that much memory for each request. */
const zstdWindowLogMax = 23;

const decoders: Readonly<Record<string, () => Transform>> = {
  br: () => createBrotliDecompress({ chunkSize }),
  deflate: () => createInflate({ chunkSize }),
  gzip: () => createGunzip({ chunkSize }),
  zstd: () =>
    createZstdDecompress({
      chunkSize,
      params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax },
    }),
};

/** The value of `Accept-Encoding` in the answer to a body in another coding. */
export const acceptedEncodings = Object.keys(decoders).toSorted().join(', ');

/** Returns the name of the coding of a body; undefined if it is sent as it is. */
export function encodingOf({ headers }: FastifyRequest): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === 'identity' ? undefined : encoding;
}

export function isDecodable(encoding: string): boolean {
  return Object.hasOwn(decoders, encoding);
}

/**
 * Decodes the bodies that are compressed. The body limit and the budget hold for the decoded bytes: decoding stops at
 * the first byte over it.
 */
export function decodeBody(app: App, budget: BodyBudget): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const encoding = encodingOf(request);
    const decoder = encoding === undefined ? undefined : decoders[encoding]?.();
    if (encoding === undefined || decoder === undefined || !hasBody(request))
      return done(null, payload);
    const { bodyLimit } = request.route;
    let decodedBytes = 0;
    const onDecoded = (bytes: number) => {
      decodedBytes += bytes;
      if (decodedBytes > bodyLimit) throw new Fault('payload_too_large');
      budget.grow(reply, decodedBytes);
    };
    done(null, decoded(payload as Readable, decoder, { encoding, onDecoded }));
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

interface DecodedStream extends PassThrough {
  /** Counts the encoded bytes so far. Fastify compares them with the announced length. */
  receivedEncodedLength: number;
}

/** Returns the decoded bytes. A body that fails is read to its end and dropped, so that the client gets the reply. */
function decoded(
  payload: Readable,
  decoder: Transform,
  {
    encoding,
    onDecoded,
  }: { readonly encoding: string; readonly onDecoded: (bytes: number) => void },
): DecodedStream {
  const output = Object.assign(new PassThrough(), { receivedEncodedLength: 0 });
  const fail = (error: Error) => {
    payload.unpipe(decoder);
    payload.resume();
    decoder.destroy();
    output.destroy(error);
  };
  payload.on('data', (chunk: Buffer) => {
    output.receivedEncodedLength += chunk.length;
  });
  payload.on('error', fail);
  payload.on('close', () => {
    if (!payload.readableEnded) fail(new Error('The client has left'));
  });
  decoder.on('error', (cause) => {
    const message = `The request body is not valid ${encoding}`;
    fail(new Fault('invalid_request', { message, cause }));
  });
  decoder.on('data', (chunk: Buffer) => {
    try {
      onDecoded(chunk.length);
      if (!output.write(chunk)) waitFor(output, decoder);
    } catch (error) {
      fail(error as Error);
    }
  });
  decoder.on('end', () => output.end());
  payload.pipe(decoder);
  return output;
}

function waitFor(output: PassThrough, decoder: Transform): void {
  decoder.pause();
  output.once('drain', () => decoder.resume());
}
