import type { IncomingHttpHeaders } from 'node:http';
import {
  clientApplication,
  type ClientApplication,
  type InferencePort,
  type InferenceReply,
} from '@sluice/inference';
import type { GatewaySettings } from '../../settings.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf } from '../../http/caller.ts';
import { clientGone, keepConnection } from '../../http/server/connection.ts';
import { responseBody, responseReply } from './schema.ts';
import { sendInferenceReply } from '../../inference/send-inference-reply.ts';

export interface InferenceDependencies {
  readonly inference: InferencePort;
  readonly settings: GatewaySettings;
}

/** The schema is for readers: the bytes are routing's to check. */
const bytesOnly = () => () => true;

/** Bytes in, bytes out: routing alone reads them. */
export function responsesRoutes(app: App, { inference, settings }: InferenceDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/responses',
    bodyLimit: settings.inferenceBodyBytesMax,
    config: { auth: 'inference', body: 'raw', errors: [402, 404, 422, 502, 524, 529] },
    schema: {
      operationId: 'createResponse',
      summary: 'Have a model answer, at once or as a stream of events',
      body: responseBody,
      response: { 200: responseReply },
    },
    validatorCompiler: bytesOnly,
    handler: async (request, reply) => {
      keepConnection(request);
      const traceparent = request.span?.traceparent;
      const client = clientOf(request.headers);
      const answer = await inference.createResponse({
        principal: callerOf(request).principal,
        requestId: request.id,
        body: request.body instanceof Uint8Array ? request.body : new Uint8Array(),
        signal: clientGone(reply),
        ...(client === undefined ? {} : { client }),
        ...(traceparent === undefined ? {} : { traceparent }),
      });
      const told = withCacheStatus(answer, request.headers);
      return sendInferenceReply(reply, told, settings.readerStalledTimeoutMs);
    },
  });
}

/** Reports the response cache, which does not exist yet, as disabled to a client that asks for it. */
function withCacheStatus(answer: InferenceReply, asked: IncomingHttpHeaders): InferenceReply {
  if (asked['x-service-cache'] === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'x-service-cache-status': 'DISABLED' } };
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
    sessionId: single(headers['x-session-id']),
    metadata: single(named),
    anthropicBeta: single(headers['x-anthropic-beta']),
  });
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
