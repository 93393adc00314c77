import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type ClientDialectName, type InferenceReply, isStream } from '@sluice/inference-port';
import { faultOf } from '@sluice/client-errors';
import type { FastifyReply } from 'fastify';
import { endOfBroken } from './broken-stream.ts';
import { cutStalledReader } from './stalled-reader.ts';
import { StreamedBody } from './streamed-body.ts';

/** Headers of the connection, and the request id, which the gateway has set. */
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

interface Sending {
  /** The format of a stream of events. Absent: there is none. */
  readonly dialect?: ClientDialectName;
  readonly readerStalledTimeoutMs: number;
}

/** Sends an answer as it is. A stream goes as fast as the client reads it. */
export function sendInferenceReply(
  reply: FastifyReply,
  { status, headers, body }: InferenceReply,
  sending: Sending,
): FastifyReply | Promise<FastifyReply> {
  reply.code(status);
  for (const name in headers)
    if (!ownHeaders.has(name.toLowerCase())) reply.header(name, headers[name]);
  if (isStream(body)) return sendStream(reply, body[Symbol.asyncIterator](), sending);
  sendWhole(reply, body);
  return reply;
}

/** Writes a whole body. Fastify would look at it once more, and Node.js would copy the text. */
function sendWhole(reply: FastifyReply, body: Uint8Array | string): void {
  const { raw } = reply;
  const bytes = Buffer.byteLength(body);
  reply.header('content-length', String(bytes));
  reply.hijack();
  if (raw.destroyed) return;
  raw.writeHead(raw.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  // ASCII is the same in Latin-1, which is written without a copy.
  raw.end(body, bytes === body.length ? 'latin1' : 'utf8');
}

/** Writes piece by piece. Throws an error of the source before its first piece: the client can still get its status. */
async function sendStream(
  reply: FastifyReply,
  source: AsyncIterator<Uint8Array>,
  { dialect, readerStalledTimeoutMs }: Sending,
): Promise<FastifyReply> {
  const { raw } = reply;
  const leave = (): void => void source.return?.().catch(() => {});
  raw.once('close', leave);
  if (raw.destroyed) leave();
  const first = await source.next();
  reply.hijack();
  if (raw.destroyed) return reply;
  raw.writeHead(raw.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  const streamed = new StreamedBody(raw);
  if (isEvents(reply)) reply.streamed = streamed;
  cutStalledReader(raw, readerStalledTimeoutMs);
  writeStream(raw, streamed, { source, first })
    .catch((error: unknown) => endBroken(reply, error, dialect))
    .then(
      () => {
        raw.off('close', leave);
        streamed.end();
      },
      () => raw.destroy(),
    );
  return reply;
}

/** Sends the error that ends a broken stream of events. Throws if it cannot be sent. */
function endBroken(
  reply: FastifyReply,
  error: unknown,
  dialect: ClientDialectName | undefined,
): void {
  const { streamed } = reply;
  const last = streamed?.lastEvents;
  if (last === undefined || dialect === undefined || reply.raw.destroyed) throw error;
  const id = reply.getHeader('x-generation-id');
  const generationId = typeof id === 'string' ? id : undefined;
  const end = endOfBroken(faultOf(error), { dialect, generationId, last });
  streamed?.write(Buffer.from(end));
}

function isEvents(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream');
}

/** Reads nothing ahead of what the client has taken. */
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
