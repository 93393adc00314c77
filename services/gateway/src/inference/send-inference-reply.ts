import type { ServerResponse } from 'node:http';
import type { InferenceReply } from '@sluice/inference';
import type { FastifyReply } from 'fastify';
import { cutStalledReader } from './stalled-reader.ts';
import { StreamedBody } from './streamed-body.ts';

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
): FastifyReply | Promise<FastifyReply> {
  reply.code(status);
  for (const [name, value] of Object.entries(headers))
    if (!ownHeaders.has(name.toLowerCase())) reply.header(name, value);
  if (body instanceof Uint8Array) return reply.send(body);
  return sendStream(reply, body[Symbol.asyncIterator](), readerStalledTimeoutMs);
}

/**
 * Written by us, piece by piece: a stream of Node's between the two would cost more than the rest of the way.
 * Throws what the source throws before its first piece: that can still be told.
 */
async function sendStream(
  reply: FastifyReply,
  source: AsyncIterator<Uint8Array>,
  readerStalledTimeoutMs: number,
): Promise<FastifyReply> {
  const { raw } = reply;
  const leave = (): void => void source.return?.().catch(() => {});
  raw.once('close', leave);
  if (raw.destroyed) leave();
  const first = await source.next();
  reply.hijack();
  if (raw.destroyed) return reply;
  const head = headOf(reply);
  const streamed = new StreamedBody(raw, head);
  if (isEvents(reply)) reply.streamed = streamed;
  cutStalledReader(raw, readerStalledTimeoutMs);
  writeStream(raw, streamed, { source, first }).then(
    () => {
      raw.off('close', leave);
      streamed.end();
    },
    () => raw.destroy(),
  );
  return reply;
}

function isEvents(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream');
}

/** What was set on the reply so far: names and values in turns. */
function headOf(reply: FastifyReply): readonly string[] {
  const head: string[] = [];
  for (const [name, value] of Object.entries(reply.getHeaders()))
    for (const one of [value].flat()) if (one !== undefined) head.push(name, String(one));
  return head;
}

/** Nothing is read ahead for a client that does not take what there is. */
async function writeStream(
  response: ServerResponse,
  streamed: StreamedBody,
  {
    source,
    first,
  }: {
    readonly source: AsyncIterator<Uint8Array>;
    readonly first: IteratorResult<Uint8Array>;
  },
): Promise<void> {
  for (let piece = first; !piece.done && !response.destroyed; piece = await source.next())
    if (!streamed.write(piece.value)) await drained(response);
}

async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  await promise;
  response.off('drain', resolve).off('close', resolve);
}

/** Beyond it the bytes are not copied once more. */
const joinedBytesMax = 16 * 1024;

/** Hands a whole answer on as it is, past everything that makes an answer of a result. */
export function sendWholeAnswer(
  reply: FastifyReply,
  { status, headers }: Pick<InferenceReply, 'status' | 'headers'>,
  body: Uint8Array,
): FastifyReply {
  const { raw } = reply.hijack();
  if (raw.destroyed) return reply;
  const head = [...headOf(reply), 'content-length', String(body.byteLength)];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name !== 'content-length' && !ownHeaders.has(name.toLowerCase()))
      head.push(name, value);
  }
  raw.writeHead(status, head);
  // Head and body leave as one text of which each character is a byte: two buffers cost more to write.
  if (body.byteLength <= joinedBytesMax) raw.end(latin1Of(body), 'latin1');
  else raw.end(body);
  return reply;
}

function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
