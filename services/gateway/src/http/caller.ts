import { ok } from 'node:assert/strict';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { Ids } from '@sluice/clock-and-ids';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller/caller.ts';

/** Returns the caller of a request, on a route that demands one. */
export function callerOf(request: FastifyRequest): Caller {
  ok(request.caller, 'the guard admits no request without a caller');
  return request.caller;
}

/** Returns a new id for each request. A POST that is sent again under its Idempotency-Key has the same one. */
export function commandIdOf({ idempotentAttempt }: FastifyRequest, ids: Ids): string {
  return idempotentAttempt?.commandId ?? ids.next();
}

const userAgentCharactersMax = 256;

/** Returns the User-Agent of the client, without characters that do not belong in a record. */
export function userAgentOf({ headers }: FastifyRequest): string {
  const name = headers['user-agent'] ?? '';
  return name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, userAgentCharactersMax);
}

/** Returns the context of the command that a request gives. */
export function commandContextOf(request: FastifyRequest, ids: Ids): CommandContext {
  return contextOf(request, commandIdOf(request, ids));
}

export function contextOf(request: FastifyRequest, commandId: string): CommandContext {
  const caller = callerOf(request);
  const { type: actorType, id: actorId } = caller.actorOf();
  return {
    commandId,
    requestId: request.id,
    accountId: caller.accountId,
    actorType,
    actorId,
    traceparent: request.span?.traceparent ?? '',
    clientIp: request.ip,
    userAgent: userAgentOf(request),
  };
}
