import { Fault, type Rejection } from '@sluice/errors';
import { describe, expect, test } from 'vitest';
import { errorReply, failurePart } from './error-reply.ts';

const bodyOf = (error: unknown): unknown =>
  JSON.parse(Buffer.from(errorReply(error).body as Uint8Array).toString());

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

  test('says when to try again, when that is known', () => {
    const known = new Fault('provider_rate_limited', { retryAfterSeconds: 17 });
    expect(errorReply(known)).toMatchObject({ status: 429, headers: { 'retry-after': '17' } });
    expect(errorReply(new Fault('unavailable')).headers).not.toHaveProperty('retry-after');
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
