import { describe, expect, test } from 'vitest';
import { retryAfterSeconds, retryInfoSeconds } from './retry-after.ts';
import { translators } from './wire-body.ts';

const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

describe('Retry-After', () => {
  test.each([
    ['7', 7],
    ['0', 0],
    ['1.2', 2],
    ['999999999', 86_400],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ])('%s gives %i seconds', (given, seconds) => {
    expect(retryAfterSeconds({ retryAfter: given, date })).toBe(seconds);
  });

  test.each([undefined, '', '-1', 'soon', 'NaN', '1e3', 'Wed, 21 Oct 2026 07:27:00 GMT'])(
    'an invalid value gives no wait: %s',
    (given) => {
      expect(retryAfterSeconds({ retryAfter: given, date })).toBeUndefined();
    },
  );

  test('a date gives no wait if the reply has no Date header', () => {
    expect(retryAfterSeconds({ retryAfter: date })).toBeUndefined();
  });
});

describe('retry-after-ms', () => {
  test.each([
    ['1', 1],
    ['1500', 2],
    ['20000.5', 21],
    ['999999999999', 86_400],
  ])('%s gives %i seconds', (retryAfterMs, seconds) => {
    expect(retryAfterSeconds({ retryAfter: '60', retryAfterMs })).toBe(seconds);
  });

  test('is ignored if it is invalid', () => {
    for (const retryAfterMs of ['', '-1', 'soon'])
      expect(retryAfterSeconds({ retryAfter: '7', retryAfterMs })).toBe(7);
  });
});

describe('the RetryInfo of Google', () => {
  const type = 'type.googleapis.com/google.rpc.RetryInfo';
  const info = (retryDelay: unknown) => ({
    details: [{ '@type': 'type.googleapis.com/google.rpc.Help' }, { '@type': type, retryDelay }],
  });

  test.each([
    ['34.074824224s', 35],
    ['0s', 0],
    ['3600s', 3_600],
    ['999999s', 86_400],
  ])('%s gives %i seconds', (delay, seconds) => {
    expect(retryInfoSeconds(info(delay))).toBe(seconds);
  });

  test.each(['', 's', '-1s', 'soon', 7, null, {}])('is ignored if it is invalid: %s', (delay) => {
    expect(retryInfoSeconds(info(delay))).toBeUndefined();
  });

  test.each(['google-gemini', 'openai-chat'] as const)('is read by %s', (dialect) => {
    const error = { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED', ...info('34.1s') };
    const told = { code: 'provider_rate_limited', waitSeconds: 35 };
    for (const body of [{ error }, [{ error }]])
      if (dialect === 'google-gemini' || !Array.isArray(body))
        expect(translators[dialect].error(429, body)).toMatchObject(told);
    expect(translators[dialect].whole({ error }).at(-1)).toMatchObject(told);
  });
});
