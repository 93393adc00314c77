import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isAllowedHost, isDomainPattern } from './allowed-domains.ts';

describe('a list of domains', () => {
  test.each([
    ['example.com', 'example.com', true],
    ['example.com', 'EXAMPLE.com.', true],
    ['example.com', 'a.example.com', false],
    ['example.com', 'example.com.evil.org', false],
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'evilexample.com', false],
    ['api-*.example.com', 'api-eu.example.com', true],
    ['*', 'anything.org', true],
    ['example.com', '169.254.169.254', false],
  ])('%s and %s: %s', (pattern, host, allowed) => {
    equal(isAllowedHost(host, ['other.net', pattern]), allowed);
  });

  test('is matched in linear time', () => {
    const started = performance.now();
    isAllowedHost(
      'a'.repeat(250),
      Array.from({ length: 50 }, () => '*a*a*a*a*a*a*a*a*b'),
    );
    equal(performance.now() - started < 5_000, true);
  });

  test('has host names and globs only', () => {
    const good = ['example.com', '*.example.com', 'a-b.c', '*', 'xn--bcher-kva.example'];
    const bad = ['', 'http://a', 'a/b', 'a b', 'a..b', 'a:80', '[::1]', `${'a'.repeat(64)}.com`];
    for (const text of good) equal(isDomainPattern(text), true, text);
    for (const text of bad) equal(isDomainPattern(text), false, text);
  });
});
