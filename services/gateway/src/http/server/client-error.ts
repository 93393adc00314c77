import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Fault, retryAfterSecondsOf } from '@sluice/errors';
import { errorEnvelope } from '@sluice/inference';
import type { Ids } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import { requestIdHeader } from '../plugins/request-id.ts';
import { requestIdOf } from '../request-id.ts';

/**
 * Answers bytes that never became a request (no HTTP, too large a head, too slow). Closes a connection whose reply has
 * begun: bytes of ours would become part of that reply.
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
    if (error.code === 'ECONNRESET' || !socket.writable || answers.hasBegun(socket)) {
      socket.destroy();
      return;
    }
    const fault = faultOf(error.code);
    const { error: body } = errorEnvelope(fault);
    const waitSeconds = retryAfterSecondsOf(fault);
    const requestId = requestIdOf(ids);
    const text = JSON.stringify({ error: body });
    const head = [
      `HTTP/1.1 ${body.code} ${STATUS_CODES[body.code] ?? 'Error'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      `${requestIdHeader}: ${requestId}`,
      ...(waitSeconds === undefined ? [] : [`retry-after: ${waitSeconds}`]),
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
    logger.info('no request', {
      requestId,
      status: body.code,
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

  hasBegun(socket: Socket): boolean {
    return [...(this.#ofSocket.get(socket) ?? [])].some(({ headersSent }) => headersSent);
  }
}

function faultOf(code: string | undefined): Fault {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Fault('timeout', { message: 'The request did not arrive in time' });
    case 'HPE_HEADER_OVERFLOW':
      return new Fault('invalid_request', { message: 'The request headers are too large' });
    default:
      return new Fault('invalid_request', { message: 'The request is not valid HTTP' });
  }
}
