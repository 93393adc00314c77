import {
  catalog,
  Fault,
  invalidRequest,
  rejectionToFault,
  retryAfterSecondsOf,
} from '@sluice/errors';
import { errorFormats } from '@sluice/client-errors';
import type { Logger } from '@sluice/logging';
import { traceField } from '@sluice/telemetry';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type App, errorFormatOf } from '../app-types.ts';
import { FaultWithData } from '../fault-with-data.ts';
import { issuesOf } from '../schemas/issues.ts';

const jsonType = 'application/json; charset=utf-8';

/** Every error leaves in the one public envelope. Unexpected errors are masked. */
export function errors(app: App, { logger }: { readonly logger: Logger }): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) =>
    sendError(error, request, reply, logger),
  );
  app.setNotFoundHandler((_request, reply) => sendFault(new Fault('not_found'), reply));
}

export function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): FastifyReply {
  const fault = toFault(error);
  // The client has left: no answer can be sent, and an error that follows from it is no failure.
  if (reply.raw.destroyed) return reply.hijack();
  if (fault.code === 'internal')
    logger.error('a request failed', {
      requestId: request.id,
      ...traceField(request.span?.traceparent),
      error,
    });
  if (fault.code === 'payload_too_large') {
    // The rest is read and dropped, within the request's time, so that the client gets to the reply.
    reply.removeHeader('connection');
    request.raw.resume();
  }
  return sendFault(fault, reply);
}

function sendFault(fault: Fault, reply: FastifyReply): FastifyReply {
  reply.refusedFor = fault.code;
  const waitSeconds = retryAfterSecondsOf(fault);
  if (waitSeconds !== undefined) reply.header('retry-after', waitSeconds);
  const { http: status } = catalog[fault.code];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(status)
    .type(jsonType)
    .send({
      ...errorFormats[errorFormatOf(reply.request)](fault, {}),
      ...(fault instanceof FaultWithData && { data: fault.data }),
    });
}

function toFault(error: FastifyError | Error): Fault {
  if (error instanceof Fault) return error;
  if ('validation' in error && error.validation)
    return rejectionToFault(invalidRequest(issuesOf(error.validation)));
  const { code, statusCode } = error as Partial<FastifyError>;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Fault('payload_too_large', { cause: error });
    // A parameter that is longer than any id names nothing.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Fault('not_found', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Fault('invalid_request', {
        message: 'The Content-Type must be application/json',
        cause: error,
      });
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? new Fault('invalid_request', { cause: error })
        : new Fault('internal', { cause: error });
  }
}
