import { catalog } from '@sluice/errors';
import { describe, expect, test } from 'vitest';
import { openAiError, openAiErrorWord } from './openai-error.ts';

const body = (error: unknown): unknown => ({ error });

describe('a failed call', () => {
  test.each([
    [400, 'invalid_request', 400],
    [413, 'payload_too_large', 413],
    [422, 'unprocessable', 422],
    [401, 'provider_rejected', 502],
    [402, 'provider_rejected', 502],
    [403, 'provider_rejected', 502],
    [404, 'model_unavailable_upstream', 404],
    [408, 'provider_timeout', 524],
    [429, 'provider_rate_limited', 429],
    [500, 'provider_unavailable', 502],
    [502, 'provider_unavailable', 502],
    [503, 'unavailable', 503],
    [504, 'provider_timeout', 524],
    [529, 'provider_overloaded', 529],
    [302, 'provider_unavailable', 502],
  ])('with status %i has the code %s', (status, code, http) => {
    const error = openAiError(status, undefined);
    expect(error.code).toBe(code);
    expect(catalog[error.code].http).toBe(http);
  });

  test.each([
    'API key not valid. Please pass a valid API key.',
    'Incorrect API key provided: xa***ab. You can obtain an API key from the console.',
    'Invalid api_key',
  ])('with status 400 about the key is a refused key: %s', (message) => {
    const error = openAiError(400, body({ message }));
    expect(error.code).toBe('provider_rejected');
    expect(error.message).toBe('The provider does not accept the credential it was called with');
  });

  test('that only mentions a key is a refused request', () => {
    const message = 'The field api_key is not allowed in metadata';
    expect(openAiError(400, body({ message })).code).toBe('invalid_request');
  });

  test('of a request that is too long has its own code', () => {
    const tooLong = body({ code: 'context_length_exceeded', message: 'too long' });
    expect(openAiError(400, tooLong)).toEqual({
      code: 'context_length_exceeded',
      message: 'too long',
      providerCode: 'context_length_exceeded',
    });
  });

  test.each([
    [body({ message: 'temperature: too high', code: 'bad' }), 'temperature: too high'],
    [body('plain text'), 'plain text'],
    [{ message: 'at the top' }, 'at the top'],
    [body({ message: 'two\nlines\u0000' }), 'two lines'],
    [body({ message: '' }), catalog.invalid_request.message],
    [body({ message: { not: 'text' } }), catalog.invalid_request.message],
    ['<html>', catalog.invalid_request.message],
  ])('shows the message of the upstream about the request: %o', (given, message) => {
    expect(openAiError(400, given).message).toBe(message);
  });

  test.each([
    [413, 'payload_too_large'],
    [422, 'unprocessable'],
  ] as const)('with status %i shows what the upstream says of the request', (status, code) => {
    expect(openAiError(status, body({ message: 'two images at most' }))).toMatchObject({
      code,
      message: 'two images at most',
    });
  });

  test.each([
    [404, { code: 'image_file_not_found', message: 'm' }, 'image_not_found'],
    [413, { code: 'context_length_exceeded', message: 'm' }, 'context_length_exceeded'],
    [422, { code: 'invalid_image', message: 'm' }, 'invalid_image'],
  ])('has the code of the provider instead of status %i', (status, error, code) => {
    expect(openAiError(status, body(error)).code).toBe(code);
  });

  test('bounds the message of the upstream', () => {
    const { message } = openAiError(400, body({ message: 'x'.repeat(10_000) }));
    expect(message).toHaveLength(500);
  });

  test.each([401, 402, 403, 404, 429, 500, 503, 529])(
    'with status %i hides the message of the upstream',
    (status) => {
      const error = openAiError(status, body({ message: 'key sk-123 at http://10.0.0.7' }));
      expect(error.message).not.toMatch(/sk-123|10\.0\.0\.7/);
    },
  );

  test.each([
    [{ code: 'a_code', type: 'a_type' }, 'a_code'],
    [{ code: null, type: 'a_type' }, 'a_type'],
    [{ code: 1302 }, '1302'],
    [{ code: 'with spaces and\nlines' }, undefined],
    [{ code: 'x'.repeat(65) }, undefined],
    [{ code: { deep: true } }, undefined],
  ])('keeps the code of the upstream if it has the form of a code: %o', (error, providerCode) => {
    expect(openAiError(500, body(error)).providerCode).toBe(providerCode);
  });
});

describe('an error without a status of its own, inside a stream or a 200', () => {
  test.each([
    [{ code: 'rate_limit_exceeded' }, 'provider_rate_limited'],
    [{ code: 429 }, 'provider_rate_limited'],
    [{ code: 400 }, 'invalid_request'],
    [{ code: 'invalid_prompt' }, 'invalid_request'],
    [{ type: 'invalid_request_error' }, 'invalid_request'],
    [{ code: 'model_not_found', type: 'invalid_request_error' }, 'model_unavailable_upstream'],
    [{ type: 'not_found_error' }, 'model_unavailable_upstream'],
    [{ code: 404 }, 'model_unavailable_upstream'],
    [{ code: 413 }, 'payload_too_large'],
    [{ code: 422 }, 'unprocessable'],
    [{ code: 529 }, 'provider_overloaded'],
    [{ code: 'server_error' }, 'provider_unavailable'],
    [{}, 'provider_unavailable'],
  ])('%o', (error, code) => {
    expect(openAiErrorWord(error).code).toBe(code);
  });
});

test('a finding of a router’s moderation is not a refused credential', () => {
  const metadata = { reasons: ['violence'], flagged_input: 'a…z', provider_name: 'p' };
  const error = openAiError(403, { error: { code: 403, message: 'flagged', metadata } });
  expect(error).toMatchObject({ code: 'content_policy_violation', message: 'flagged' });
});
