import { Fault } from '@sluice/errors';
import {
  abortSignalOf,
  encodeClient,
  encodePrincipal,
  type InferenceCall,
  type InferencePort,
  type InferenceReply,
  internalHttp,
} from '@sluice/inference-port';
import { type Dispatcher, Pool } from 'undici';

export interface HttpInferencePortOptions {
  /** `http://host:port` of routing's internal server. */
  readonly url: string;
  /** The token that each call carries: access to the port alone is not enough. */
  readonly token: string;
}

export interface HttpInferencePort extends InferencePort {
  /** Waits for the calls that are open. */
  stop(): Promise<void>;
}

/** At least as many as the gateway has clients: an open stream keeps its connection. */
const connectionsMax = 10_000;
const connectTimeoutMs = 2_000;
/** Below what routing keeps an idle connection: it must not close one that is just being used. */
const idleConnectionMs = 4_000;
/** Above routing's own limits: it answers for them, this only ends what hangs. */
const headersTimeoutMs = 660_000;
const bodyIdleTimeoutMs = 180_000;
const tokenRefusedStatus = 401;
/**
 * A larger answer goes on as it comes: many calls are open at once, and each would hold its whole answer. A smaller one
 * that breaks off is an error with a status.
 */
const answerBytesMax = 1024 * 1024;
/** Above the list of ten thousand models. */
const listBytesMax = 128 * 1024 * 1024;

/** Routing over HTTP/1.1: bytes there and bytes back. Throws unavailable when it cannot be reached. */
export function httpInferencePort({ url, token }: HttpInferencePortOptions): HttpInferencePort {
  const pool = new Pool(url, {
    connections: connectionsMax,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: idleConnectionMs,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyIdleTimeoutMs,
  });
  const call = async (options: Dispatcher.RequestOptions): Promise<StreamedReply> => {
    const answered = pool.request(options);
    const { statusCode, headers, body } = await answered.catch(asUnavailable);
    if (statusCode !== tokenRefusedStatus)
      return { status: statusCode, headers: single(headers), body };
    await body.dump();
    throw tokenRefused();
  };
  return {
    async createResponse(request) {
      const reply = await call({
        method: 'POST',
        path: internalHttp.answersPath + request.dialect,
        headers: headersOf(request, token),
        body: request.body,
        signal: abortSignalOf(request.signal),
      });
      const length = Number(reply.headers['content-length'] ?? Infinity);
      if (length > answerBytesMax) return { ...reply, body: breakingAsUnavailable(reply.body) };
      return { ...reply, body: await wholeOf(reply.body).catch(asUnavailable) };
    },
    async readCatalog({ view, parameters, reportsMeasured, format, principal }) {
      const reply = await call({
        method: 'GET',
        path: `${internalHttp.catalogPath}${view}`,
        query: parameters,
        headers: {
          [internalHttp.tokenHeader]: token,
          ...(reportsMeasured && { [internalHttp.measuredHeader]: 'yes' }),
          ...(format && { [internalHttp.formatHeader]: format }),
          ...(principal && { [internalHttp.principalHeader]: encodePrincipal(principal) }),
        },
      });
      // Reads the whole answer. An unread body (the client has the list already) would keep its connection.
      return { ...reply, body: await wholeOf(reply.body).catch(asUnavailable) };
    },
    stop: () => pool.close(),
  };
}

interface StreamedReply extends InferenceReply {
  readonly body: Dispatcher.ResponseData['body'];
}

/** Throws unavailable if the body breaks. Before its first piece, the client can still get a status. */
function breakingAsUnavailable(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const source = body[Symbol.asyncIterator]();
      return {
        next: () => source.next().catch(asUnavailable),
        async return() {
          return (await source.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}

async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > listBytesMax) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** It is our token that was refused; the client's key was good. */
function tokenRefused(): Fault {
  return new Fault('internal', { message: 'routing does not take the token' });
}

function asUnavailable(cause: unknown): never {
  throw new Fault('unavailable', { cause });
}

function headersOf(
  { principal, requestId, traceparent, client }: InferenceCall,
  token: string,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    [internalHttp.tokenHeader]: token,
    [internalHttp.principalHeader]: encodePrincipal(principal),
    [internalHttp.requestIdHeader]: requestId,
    ...(client === undefined ? {} : { [internalHttp.clientHeader]: encodeClient(client) }),
    ...(traceparent === undefined ? {} : { [internalHttp.traceparentHeader]: traceparent }),
  };
}

function single(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}
