import { describe, expect, test } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

describe('Retry-After', () => {
  test.each([
    ['7', 7],
    ['0', 0],
    ['1.2', 2],
    ['999999999', 86_400],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ])('%s gives %i seconds', (given, seconds) => {
    expect(retryAfterSeconds(given, date)).toBe(seconds);
  });

  test.each([undefined, '', '-1', 'soon', 'NaN', '1e3', 'Wed, 21 Oct 2026 07:27:00 GMT'])(
    'an invalid value gives no wait: %s',
    (given) => {
      expect(retryAfterSeconds(given, date)).toBeUndefined();
    },
  );

  test('a date gives no wait if the reply has no Date header', () => {
    expect(retryAfterSeconds(date, undefined)).toBeUndefined();
  });
});
