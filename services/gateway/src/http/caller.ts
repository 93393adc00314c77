import { ok } from 'node:assert/strict';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { Ids } from '@sluice/clock-and-ids';
import type { FastifyRequest } from 'fastify';
import type { ResolvedKey } from '../keys/resolved-key.ts';

/** The key behind a request of a route that demands one. */
export function callerOf(request: FastifyRequest): ResolvedKey {
  ok(request.caller, 'the guard lets nobody in without a key');
  return request.caller;
}

/** A new one for each request, but for a POST that is sent again with its Idempotency-Key. */
export function commandIdOf({ idempotentAttempt }: FastifyRequest, ids: Ids): string {
  return idempotentAttempt?.commandId ?? ids.next();
}

const userAgentCharactersMax = 256;

/** Returns the User-Agent of the client, without characters that do not belong in a record. */
export function userAgentOf({ headers }: FastifyRequest): string {
  const name = headers['user-agent'] ?? '';
  return name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, userAgentCharactersMax);
}

export function commandContextOf(request: FastifyRequest, commandId: string): CommandContext {
  const { key, kind } = callerOf(request);
  return {
    commandId,
    requestId: request.id,
    accountId: key.accountId,
    actorType: kind === 'management' ? 'management_key' : 'api_key',
    actorId: key.hash,
    traceparent: request.span?.traceparent ?? '',
    clientIp: request.ip,
    userAgent: userAgentOf(request),
  };
}
