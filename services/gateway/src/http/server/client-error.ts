import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { catalog, Fault, retryAfterSecondsOf } from '@sluice/errors';
import { errorFormats } from '@sluice/client-errors';
import type { Ids } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import { requestIdHeader } from '../plugins/request-id.ts';
import { requestIdOf } from '../request/request-id.ts';
import { rawErrorFormat } from './raw-error-format.ts';
import { isSlowBody } from './slow-bodies.ts';

const lateRequest = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Answers bytes that never became a request (no HTTP, too large a head, too slow). Closes a connection that waits for
 * the reply to a whole request: the client would take these bytes for that reply, or for a part of it.
 */
export function clientErrorHandler({
  answers,
  ids,
  logger,
}: {
  readonly answers: OpenAnswers;
  readonly ids: Ids;
  readonly logger: Logger;
}) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    // Node reports a late request once, and leaves the connection to this function.
    if (error.code === lateRequest && isSlowBody(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable || answers.isAwaited(socket)) {
      socket.destroy();
      return;
    }
    const fault = faultOf(error.code);
    const { http: status } = catalog[fault.code];
    const request = answers.requestOf(socket);
    const format = request ? rawErrorFormat(request) : 'service';
    const waitSeconds = retryAfterSecondsOf(fault);
    const requestId = requestIdOf(ids);
    const text = JSON.stringify(errorFormats[format](fault, {}));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      `${requestIdHeader}: ${requestId}`,
      ...(waitSeconds === undefined ? [] : [`retry-after: ${waitSeconds}`]),
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
    logger.info('no request', {
      requestId,
      status,
      ...(error.code && { code: error.code }),
    });
  };
}

/** The replies of each connection that have not ended. */
export class OpenAnswers {
  readonly #ofSocket = new WeakMap<Socket, Set<ServerResponse>>();

  watch(server: Server): void {
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const open = this.#ofSocket.get(socket) ?? new Set();
      this.#ofSocket.set(socket, open.add(response));
      response.on('close', () => open.delete(response));
    });
  }

  /** Returns the request whose body has not arrived; undefined if not even its head has. */
  requestOf(socket: Socket): IncomingMessage | undefined {
    const open = [...(this.#ofSocket.get(socket) ?? [])];
    return open.find(({ req }) => !req.complete)?.req;
  }

  /** Returns true if a reply has begun, or its request has arrived as a whole. */
  isAwaited(socket: Socket): boolean {
    const open = [...(this.#ofSocket.get(socket) ?? [])];
    return open.some(({ headersSent, req }) => headersSent || req.complete);
  }
}

function faultOf(code: string | undefined): Fault {
  switch (code) {
    case lateRequest:
      return new Fault('timeout', { message: 'The request did not arrive in time' });
    case 'HPE_HEADER_OVERFLOW':
      return new Fault('invalid_request', { message: 'The request headers are too large' });
    default:
      return new Fault('invalid_request', { message: 'The request is not valid HTTP' });
  }
}
