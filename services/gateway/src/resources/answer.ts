import type { IncomingHttpHeaders } from 'node:http';
import {
  clientApplication,
  type ClientApplication,
  type ClientDialectName,
  type InferencePort,
  type InferenceReply,
} from '@sluice/inference-port';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { App } from '../http/app-types.ts';
import { callerOf } from '../http/caller.ts';
import { clientGone, keepConnection } from '../http/server/connection.ts';
import { sendInferenceReply } from '../inference/send-inference-reply.ts';
import type { GatewaySettings } from '../settings.ts';

export interface InferenceDependencies {
  readonly inference: InferencePort;
  readonly settings: GatewaySettings;
}

/** The schema of a body is for readers: the bytes are routing's to check. */
const bytesOnly = () => () => true;

interface AnswerRoute {
  readonly url: string;
  readonly dialect: ClientDialectName;
  readonly schema: FastifySchema;
  /** Replaces single settings of the route. */
  readonly config?: Partial<FastifyContextConfig>;
}

/** Registers the route of a client dialect. */
export function answerRoute(
  app: App,
  dependencies: InferenceDependencies,
  { url, dialect, schema, config }: AnswerRoute,
): void {
  const { inferenceBodyBytesMax: bodyLimit, readerStalledTimeoutMs } = dependencies.settings;
  app.route({
    method: 'POST',
    url,
    bodyLimit,
    config: { auth: 'inference', body: 'raw', errors: [402, 404, 422, 502, 524, 529], ...config },
    schema,
    validatorCompiler: bytesOnly,
    handler: (request, reply) =>
      answer(request, reply, dialect, dependencies).then((answered) =>
        sendInferenceReply(reply, answered, { dialect, readerStalledTimeoutMs }),
      ),
  });
}

/** Asks routing for an answer: bytes in, bytes out. Routing alone reads them. */
function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  dialect: ClientDialectName,
  { inference }: InferenceDependencies,
): Promise<InferenceReply> {
  keepConnection(request);
  const traceparent = request.span?.traceparent;
  const client = clientOf(request.headers);
  return inference.createResponse({
    dialect,
    principal: callerOf(request).principal,
    requestId: request.id,
    body: request.body instanceof Uint8Array ? request.body : new Uint8Array(),
    signal: clientGone(reply),
    ...(client === undefined ? {} : { client }),
    ...(traceparent === undefined ? {} : { traceparent }),
  });
}

function clientOf(headers: IncomingHttpHeaders): ClientApplication | undefined {
  const { referer, 'user-agent': userAgent } = headers;
  const application = single(headers['http-referer']);
  const named = headers['x-service-metadata'] ?? headers['x-service-experimental-metadata'];
  return clientApplication({
    referer: application ?? referer,
    title: single(headers['x-service-title']) ?? single(headers['x-title']),
    categories: single(headers['x-service-categories']),
    userAgent,
    originator: single(headers['originator']),
    sessionId: single(headers['x-session-id']),
    metadata: single(named),
    unsupportedFeatures: single(headers['x-service-unsupported-features']),
    cache: single(headers['x-service-cache']),
    cacheTtl: single(headers['x-service-cache-ttl']),
    cacheClear: single(headers['x-service-cache-clear']),
    logContent: single(headers['x-service-log-content']),
    anthropicBeta: single(headers['x-anthropic-beta']) ?? single(headers['anthropic-beta']),
  });
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
