import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault } from '@sluice/errors';
import {
  CallAbort,
  catalogFormats,
  catalogViews,
  type ClientDialectName,
  clientDialects,
  decodeClient,
  decodePrincipal,
  internalHttp,
  type InferencePort,
  type InferenceReply,
  isStream,
} from '@sluice/inference-port';
import { errorReply } from '@sluice/client-errors';
import { connectingMax } from '@sluice/boot';
import { LoadShedder, Refusals } from '@sluice/load-shedding';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';

export interface InternalHttpOptions {
  readonly inference: InferencePort;
  /** `host:port`; port 0 takes a free one. */
  readonly address: string;
  /** Each request must carry it: the principal is believed because of it. */
  readonly token: string;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
  /**
   * The number of requests that may wait for their turn. 2,000 if absent. The gateway has its own, for the same
   * reason.
   */
  readonly waitingMax?: number;
}

export interface InternalHttp {
  readonly name: string;
  /** `http://host:port` */
  readonly url: string;
  stop(): Promise<void>;
}

const bodyBytesMax = 32 * 1024 * 1024;
/** Longer than the gateway keeps an idle connection: it must not meet one that just closes. */
const keepAliveTimeoutMs = 30_000;
const requestTimeoutMs = 60_000;

const waitingMaxDefault = 2_000;
const overloaded = errorReply(new Fault('overloaded', { retryAfterSeconds: 1 }));

/** The inference port for a gateway in another process: HTTP/1.1, bytes passed through. */
export async function startInternalHttp(options: InternalHttpOptions): Promise<InternalHttp> {
  const { address, inference, logger, waitingMax = waitingMaxDefault } = options;
  const token = Buffer.from(options.token);
  const startsPerMsMax = () => inference.startsPerMsMax?.();
  const shedder = new LoadShedder({ waitingMax, waitingPerNameMax: waitingMax, startsPerMsMax });
  const refusals = new Refusals({ logger, counter: options.telemetry.metrics.routingRefusals });
  const broke = (response: ServerResponse) => (error: unknown) => {
    logger.error('an internal request broke', { error });
    response.destroy();
  };
  const server = createServer((request, response) => {
    const serve = () => {
      if (!response.destroyed)
        handle({ inference, token }, request, response).catch(broke(response));
    };
    if (request.method !== 'POST') return serve();
    // The gateway already queues requests by principal. Here all share one queue.
    shedder.admit('', (overload) => {
      if (overload === undefined) return serve();
      if (response.destroyed) return;
      refusals.add(overload);
      send(response, overloaded).catch(broke(response));
    });
  });
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const port = Number(address.slice(colon + 1));
  server.once('error', reject).listen({ port, host, backlog: connectingMax }, resolve);
  await promise;
  return {
    name: 'internal http',
    url: `http://${host}:${String((server.address() as AddressInfo).port)}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), stopGraceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Requests that are open when the server stops may end by themselves for so long. */
const stopGraceMs = 3_000;

interface Handling {
  readonly inference: InferencePort;
  readonly token: Buffer;
}

async function handle(
  { inference, token }: Handling,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isToken(headerOf(request, internalHttp.tokenHeader), token))
    return send(response, errorReply(new Fault('authentication_invalid')));
  if (request.method === 'GET' && request.url?.startsWith(internalHttp.catalogPath))
    return send(response, await readCatalog(inference, request));
  const dialect = dialectOf(request);
  if (!dialect) return send(response, errorReply(new Fault('not_found')));
  const principal = decodePrincipal(headerOf(request, internalHttp.principalHeader));
  if (!principal) return send(response, errorReply(new Fault('authentication_invalid')));
  const body = await readBody(request);
  if (!body) {
    response.setHeader('connection', 'close');
    return send(response, errorReply(new Fault('payload_too_large')));
  }
  const gone = new CallAbort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the client has left'));
  });
  const traceparent = headerOf(request, internalHttp.traceparentHeader);
  const client = decodeClient(headerOf(request, internalHttp.clientHeader));
  const reply = await inference.createResponse({
    dialect,
    principal,
    requestId: headerOf(request, internalHttp.requestIdHeader) ?? '',
    body,
    signal: gone,
    ...(client === undefined ? {} : { client }),
    ...(traceparent === undefined ? {} : { traceparent }),
  });
  await send(response, reply);
}

function dialectOf({ method, url = '' }: IncomingMessage): ClientDialectName | undefined {
  if (method !== 'POST' || !url.startsWith(internalHttp.answersPath)) return undefined;
  const named = url.slice(internalHttp.answersPath.length);
  return clientDialects.find((known) => known === named);
}

async function readCatalog(
  inference: InferencePort,
  request: IncomingMessage,
): Promise<InferenceReply> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://routing');
  const named = pathname.slice(internalHttp.catalogPath.length);
  const view = catalogViews.find((known) => known === named);
  if (!view) return errorReply(new Fault('not_found'));
  const parameters = Object.fromEntries(searchParams);
  const reportsMeasured = headerOf(request, internalHttp.measuredHeader) === 'yes';
  const formatName = headerOf(request, internalHttp.formatHeader);
  const format = catalogFormats.find((known) => known === formatName);
  const question = { view, parameters, reportsMeasured, ...(format && { format }) };
  const header = headerOf(request, internalHttp.principalHeader);
  if (header === undefined) return await inference.readCatalog(question);
  const principal = decodePrincipal(header);
  if (!principal) return errorReply(new Fault('authentication_invalid'));
  return await inference.readCatalog({ ...question, principal });
}

async function send(response: ServerResponse, reply: InferenceReply): Promise<void> {
  const { status, headers, body } = reply;
  if (!isStream(body)) {
    const length = Buffer.byteLength(body);
    response.writeHead(status, { ...headers, 'content-length': length }).end(body);
    return;
  }
  response.writeHead(status, headers);
  for await (const chunk of body) {
    if (response.destroyed) break;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

/** Resolves when the socket has room again, or when the client is gone. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  response.once('drain', done).once('close', done);
  await promise;
  response.off('drain', done).off('close', done);
}

/** Resolves with undefined if the body is too large. */
function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= bodyBytesMax) return;
    request.off('data', take).pause();
    resolve(undefined);
  };
  request.on('data', take).once('error', reject);
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  return promise;
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isToken(given: string | undefined, expected: Buffer): boolean {
  const left = Buffer.from(given ?? '');
  return left.length === expected.length && timingSafeEqual(left, expected);
}
