import { Fault } from '@sluice/errors';
import { derivedId } from '@sluice/clock-and-ids';
import type { LogFields, Logger } from '@sluice/logging';
import { traceField } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotencyCalls, KeyCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import { bodyDigest } from './body-digest.ts';
import type { IdempotentAttempt, IdempotentRequest } from '../../idempotency/idempotent-attempt.ts';
import { openAnswer, sealAnswer, type Seal } from '../../idempotency/sealed-answer.ts';
import type { App } from '../app-types.ts';
import { idempotencyKeyOf } from '../request/idempotency-key.ts';
import { secretOf } from '../request/presented-key.ts';
import { callerOf } from '../caller.ts';
import { whenEnded } from '../server/connection.ts';
import { isIdempotent } from '../routes/statuses.ts';

export interface IdempotencyDependencies {
  readonly idempotency: IdempotencyCalls;
  readonly keys: Pick<KeyCalls, 'confirmDelivery'>;
  readonly logger: Logger;
}

const answerBytesMax = 64 * 1024;
/** No id of Sluice makes a path so long: a longer path names nothing. */
const routeCharactersMax = 1_000;
const replayedHeader = 'idempotent-replayed';

/**
 * A management POST that is sent again with its `Idempotency-Key` is answered as it was, for a day.
 * Without the header no service is called.
 */
export function idempotency(app: App, dependencies: IdempotencyDependencies): void {
  app.decorateRequest('idempotentAttempt', undefined);
  app.addHook('onRoute', (route) => {
    const { config } = route;
    const isMeant = [route.method].flat().some((method) => config && isIdempotent(method, config));
    if (!isMeant || config?.idempotency === 'own') return;
    route.preHandler = (request, reply, done) => {
      if (request.headers['idempotency-key'] === undefined) return done();
      begin(request, reply).then(() => done(), done);
    };
    route.onSend = (request, reply, payload, done) => {
      const { idempotentAttempt: attempt } = request;
      if (attempt === undefined) return done(null, payload);
      settle(dependencies, attempt, reply, payload).then(() => done(null, payload), done);
    };
  });
  const begin = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    const wanted = requestOf(request, idempotencyKeyOf(request) ?? '');
    if (wanted.route.length > routeCharactersMax) return undefined;
    const digest = bodyDigest(request.body);
    const { accountId, route, idempotencyKey } = wanted;
    const parts = [accountId, route, idempotencyKey, digest];
    const secret = secretOf(request);
    const seal = { secret, binding: parts.join('\n') };
    const asked = { ...wanted, bodySha256: digest };
    const begun = present((await dependencies.idempotency.beginRequest(asked)).outcome);
    const commandId = derivedId('idempotent', ...parts);
    const isAnswered = begun.$case === 'fresh' || begun.$case === 'answered';
    if (isAnswered && request.routeOptions.config.answersSecret)
      whenEnded(reply, (outcome) => {
        if (outcome === 'finished') confirmDelivery(dependencies, reply, { accountId, commandId });
      });
    switch (begun.$case) {
      case 'fresh': {
        const { attempt } = begun.value;
        request.idempotentAttempt = { commandId, request: wanted, attempt, seal };
        return undefined;
      }
      case 'inProgress':
        throw inProgress(begun.value.retryAfterSeconds);
      case 'mismatch':
        throw reused('The Idempotency-Key was used with another body');
      case 'answered':
        return replay(reply, begun.value, seal);
    }
  };
}

/** Names the request for the idempotency service. */
function requestOf(request: FastifyRequest, idempotencyKey: string): IdempotentRequest {
  const [path = ''] = request.url.split('?');
  const { accountId } = callerOf(request);
  return { accountId, route: `${request.method} ${path}`, idempotencyKey };
}

interface KeptAnswer {
  readonly body: string;
  readonly location?: string;
}

/** Keeps the answer, or lets the request be sent again at once when the answer is not the last word. */
async function settle(
  { idempotency: client, logger }: IdempotencyDependencies,
  { request, attempt, seal }: IdempotentAttempt,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const { statusCode: status } = reply;
  const location = reply.getHeader('location');
  const kept: KeptAnswer = {
    body: typeof payload === 'string' ? payload : '',
    ...(typeof location === 'string' ? { location } : {}),
  };
  const answer = Buffer.from(JSON.stringify(kept));
  const isRefused = status >= 400;
  const passes = status >= 500 || [408, 429].includes(status) || reply.hasHeader('retry-after');
  const isFinal = !isRefused || !passes;
  try {
    if (isFinal && answer.length <= answerBytesMax) {
      const sealedAnswer = sealAnswer(seal, answer);
      await client.completeRequest({ ...request, attempt, status, sealedAnswer });
    } else {
      const mayBeDone = status >= 500 || status === 408;
      await client.abandonRequest({ ...request, attempt, mayBeDone });
    }
  } catch (error) {
    // The command was carried out: the client gets its answer, even if that cannot be repeated.
    logger.warn('an answer could not be kept', { ...requestFields(reply.request), error });
  }
}

function requestFields({ id, span }: FastifyRequest): LogFields {
  return { requestId: id, ...traceField(span?.traceparent) };
}

/** Has the secret of the answer erased where it is kept; unconfirmed, it is erased after 10 minutes. */
function confirmDelivery(
  { keys, logger }: IdempotencyDependencies,
  { statusCode, request }: FastifyReply,
  { accountId, commandId }: { readonly accountId: string; readonly commandId: string },
): void {
  if (statusCode >= 300) return;
  keys.confirmDelivery({ accountId, commandId }).catch((error: unknown) => {
    logger.warn('a delivery could not be confirmed', { ...requestFields(request), error });
  });
}

function replay(
  reply: FastifyReply,
  { status, sealedAnswer }: { readonly status: number; readonly sealedAnswer: Uint8Array },
  seal: Seal,
): FastifyReply {
  const answer = openAnswer(seal, sealedAnswer);
  if (answer === undefined) throw reused('The Idempotency-Key was used with another API key');
  const { body, location } = JSON.parse(answer.toString()) as KeptAnswer;
  if (location !== undefined) reply.header('location', location);
  reply.header(replayedHeader, 'true');
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

function inProgress(retryAfterSeconds: number): Fault {
  return new Fault('conflict', {
    message: 'A request with this Idempotency-Key is under way',
    metadata: { reason: 'idempotency_key_in_use' },
    retryAfterSeconds,
  });
}

function reused(message: string): Fault {
  return new Fault('unprocessable', { message, metadata: { reason: 'idempotency_key_reused' } });
}
