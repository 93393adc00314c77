import { type Readable, type Transform, pipeline } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { brokenEncoding, type EgressFailure, failureFrom } from './failure.ts';

const tooLarge: EgressFailure = { reason: 'too_large', message: 'The body is too large' };

// A body that was cut at its end is read as far as it goes, which browsers do, too.
const gentle = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(gentle),
  'x-gzip': () => createGunzip(gentle),
  deflate: () => createInflate(gentle),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
};

/** The encodings that a request offers. */
export const acceptedEncodings = 'gzip, br';

/**
 * Reads a body to its end and decodes one content encoding. Both the bytes on the wire and the decoded ones are
 * bounded: a small body may decode to a large one, and an endless one to nothing.
 */
export async function decodeBody(
  body: Readable,
  encoding: string | undefined,
  bytesMax: number,
): Promise<Buffer | EgressFailure> {
  // A body that is destroyed before it has a reader would throw into the process.
  body.on('error', () => undefined);
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return collect(body, bytesMax);
  const decoder = Object.hasOwn(decoders, name) ? decoders[name]?.() : undefined;
  if (!decoder) {
    body.destroy();
    return brokenEncoding;
  }
  let wireBytes = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      wireBytes += chunk.byteLength;
      if (wireBytes > bytesMax) return;
      yield chunk;
    }
  };
  // The reader of the decoder gets the error.
  pipeline(body, counted, decoder, () => undefined);
  const decoded = await collect(decoder, bytesMax);
  return wireBytes > bytesMax ? tooLarge : decoded;
}

async function collect(stream: Readable, bytesMax: number): Promise<Buffer | EgressFailure> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      // Leaving the loop destroys the stream, and the connection with it.
      if (bytes > bytesMax) return tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    return failureFrom(error);
  }
  return Buffer.concat(chunks);
}
