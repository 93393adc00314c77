import { equal } from 'node:assert/strict';
import { type ErrorCode, Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { endpointRow, modelRow } from '@sluice/catalog';
import type { PlannedAttempt } from '../selection/plan.ts';
import { nextAttempt } from './next-attempt.ts';

const free = { prompt: '0', completion: '0' };
const at = (modelId: string, provider: string, contextLength = 100): PlannedAttempt => {
  const reached = {
    provider,
    dialect: 'openai-chat',
    baseUrl: 'http://x',
    apiKey: undefined,
  } as const;
  const endpoint = endpointRow(modelId, { ...reached, upstreamModel: 'm' }, free, {
    contextLength,
  });
  return { model: modelRow({ id: modelId, endpoints: [endpoint] }), endpoint };
};

/** Three of one model, the second one like the first, the third with more room; then another model. */
const attempts = [at('a/m', 'p'), at('a/m', 'q'), at('a/m', 'r', 200), at('b/n', 's')];
const next = (code: ErrorCode, place = 0, isSecondRefusal = false) =>
  nextAttempt(attempts, place, { fault: new Fault(code), isSecondRefusal });

describe('after a failure before any output', () => {
  test.each<[string, ErrorCode]>([
    ['no connection, 5xx, an empty or a malformed answer', 'provider_unavailable'],
    ['503', 'unavailable'],
    ['529', 'provider_overloaded'],
    ['408, 504 or no output in time', 'provider_timeout'],
    ['429', 'provider_rate_limited'],
    ['404: this provider does not have the model', 'model_unavailable_upstream'],
    ['401, 402 or 403 to our credential', 'provider_rejected'],
  ])('%s: the next attempt is made', (_what, code) => {
    equal(next(code), 1);
    equal(next(code, 2), 3);
    equal(next(code, 3), undefined);
  });

  test.each<[string, ErrorCode]>([
    ['a request that is not taken', 'invalid_request'],
    ['a text that is too long', 'string_too_long'],
    ['413', 'payload_too_large'],
    ['422', 'unprocessable'],
    ['a picture that is not taken', 'image_too_large'],
    ['a format that is not known', 'unsupported_image_format'],
  ])('%s: it is tried where other limits hold, once', (_what, code) => {
    equal(next(code), 2);
    equal(next(code, 2), 3);
    equal(next(code, 0, true), undefined);
    equal(next(code, 3), undefined);
  });

  test('what a filter refuses: the next model', () => {
    equal(next('content_policy_violation'), 3);
    equal(next('content_policy_violation', 2), 3);
    equal(next('content_policy_violation', 3), undefined);
  });

  test('too long a context: where there is more room, else the next model', () => {
    equal(next('context_length_exceeded'), 2);
    equal(next('context_length_exceeded', 2), 3);
    equal(next('context_length_exceeded', 3), undefined);
  });

  test.each<ErrorCode>(['internal', 'not_implemented', 'permission_denied', 'not_found'])(
    '%s is no word of a provider: nobody else is asked',
    (code) => equal(next(code), undefined),
  );
});

describe('a spare model of a router', () => {
  const spare = attempts.map((one) =>
    one.model.id === 'b/n' ? { ...one, isSpare: true as const } : one,
  );
  const after = (code: ErrorCode, all: readonly PlannedAttempt[], place = 2) =>
    nextAttempt(all, place, { fault: new Fault(code), isSecondRefusal: false });

  test('serves after a failure that does not depend on the request', () => {
    for (const code of ['provider_unavailable', 'provider_rate_limited'] as const)
      equal(after(code, spare), 3);
  });

  test('does not serve a request that the first choice refuses', () => {
    const refusals = [
      'content_policy_violation',
      'context_length_exceeded',
      'invalid_request',
    ] as const;
    for (const code of refusals) {
      equal(after(code, attempts), 3);
      equal(after(code, spare), undefined);
    }
  });

  test('has other endpoints to move on to, as any model has', () => {
    const own = [at('b/n', 's'), at('b/n', 't', 200)].map((one) => ({
      ...one,
      isSpare: true as const,
    }));
    equal(after('context_length_exceeded', own, 0), 1);
  });
});
