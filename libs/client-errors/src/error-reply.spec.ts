import { Fault, type Rejection } from '@sluice/errors';
import { describe, expect, test } from 'vitest';
import { errorReply, failurePart } from './error-reply.ts';

const bodyOf = (error: unknown): unknown => JSON.parse(errorReply(error).body as string);

describe('the reply to a request that failed', () => {
  test('says status, text, type and facts of a fault', () => {
    const fault = new Fault('provider_unavailable', { metadata: { provider_code: 'x' } });
    expect(errorReply(fault)).toMatchObject({
      status: 502,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(bodyOf(fault)).toEqual({
      error: {
        code: 502,
        message: 'Provider returned error',
        metadata: { error_type: 'provider_unavailable', provider_code: 'x' },
      },
    });
  });

  test('says when to try again: what the provider said, or a second with each 503', () => {
    const known = new Fault('provider_rate_limited', { retryAfterSeconds: 17 });
    expect(errorReply(known)).toMatchObject({ status: 429, headers: { 'retry-after': '17' } });
    expect(errorReply(new Fault('unavailable')).headers).toMatchObject({ 'retry-after': '1' });
    expect(errorReply(new Fault('not_found')).headers).not.toHaveProperty('retry-after');
  });

  test('says what of a rate is left, when it is our own that is used up', () => {
    const rejection: Rejection = {
      rejected: 'rate_limited',
      message: 'Rate limit exceeded',
      retryAfterSeconds: 30,
      rate: { limit: 20, resetAtMs: 1_700_000_000_000 },
    };
    expect(errorReply(rejection)).toMatchObject({
      status: 429,
      headers: {
        'retry-after': '30',
        'x-ratelimit-limit': '20',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1700000000000',
      },
    });
  });

  test('names the problems of a rejected request', () => {
    const rejection: Rejection = {
      rejected: 'invalid_prompt',
      message: 'Invalid request: input: is required',
      metadata: { issues: [{ path: 'input', message: 'is required' }] },
    };
    expect(errorReply(rejection).status).toBe(400);
    expect(bodyOf(rejection)).toMatchObject({
      error: { metadata: { error_type: 'invalid_prompt', issues: [{ path: 'input' }] } },
    });
  });

  test.each([
    { error: new Error('secret') },
    { error: new Fault('internal', { message: 'secret', metadata: { a: 'secret' } }) },
    { error: 'secret' },
  ])('tells nothing of an error of our own', ({ error }) => {
    expect(errorReply(error).status).toBe(500);
    expect(bodyOf(error)).toEqual({
      error: { code: 500, message: 'Internal Server Error', metadata: { error_type: 'server' } },
    });
  });
});

test('a failure after the first output is the last part', () => {
  expect(failurePart(new Fault('timeout'))).toMatchObject({ type: 'error', code: 'timeout' });
  expect(failurePart(new Error('x'))).toMatchObject({ type: 'error', code: 'internal' });
});
