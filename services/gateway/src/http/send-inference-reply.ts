import { Readable } from 'node:stream';
import type { InferenceReply } from '@sluice/inference';
import type { FastifyReply } from 'fastify';
import { cutStalledReader } from './stalled-reader.ts';

/** Of this connection, not of the reply; and the request id is set already. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

/** Hands an answer on as it is; a stream only as fast as the client takes it. */
export function sendInferenceReply(
  reply: FastifyReply,
  { status, headers, body }: InferenceReply,
  readerStalledTimeoutMs: number,
): FastifyReply {
  reply.code(status);
  for (const [name, value] of Object.entries(headers))
    if (!ownHeaders.has(name.toLowerCase())) reply.header(name, value);
  if (body instanceof Uint8Array) return reply.send(body);
  // Nothing is read ahead for a client that does not take what there is.
  const stream = Readable.from(body, { objectMode: false, highWaterMark: 0 });
  if (reply.raw.destroyed) {
    stream.destroy();
    return reply.hijack();
  }
  cutStalledReader(reply.raw, readerStalledTimeoutMs);
  return reply.send(stream);
}
