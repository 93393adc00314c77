import { Readable } from 'node:stream';
import type { InferenceReply } from '@sluice/inference';
import type { FastifyReply } from 'fastify';
import { requestIdHeader } from './plugins/request-id.ts';
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

/** So small a body is copied: as text it leaves together with the head, in one write. */
const joinedBytesMax = 8 * 1024;

/** Hands a whole answer on as it is, past everything that makes an answer of a result. */
export function sendWholeAnswer(
  reply: FastifyReply,
  { status, headers }: Pick<InferenceReply, 'status' | 'headers'>,
  body: Uint8Array,
): FastifyReply {
  const { raw, request } = reply.hijack();
  if (raw.destroyed) return reply;
  const head = [requestIdHeader, request.id, 'content-length', String(body.byteLength)];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name !== 'content-length' && !ownHeaders.has(name.toLowerCase()))
      head.push(name, value);
  }
  raw.writeHead(status, head);
  if (body.byteLength > joinedBytesMax) raw.end(body);
  else raw.end(asBuffer(body).toString('latin1'), 'latin1');
  return reply;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
