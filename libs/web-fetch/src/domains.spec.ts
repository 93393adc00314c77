import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { InvalidDomain, parseDomains } from './domains.ts';

const includes = (pattern: string, url: string) => parseDomains([pattern]).includes(new URL(url));

describe('a domain of a list', () => {
  test.each([
    ['example.com', 'https://example.com/', true],
    ['example.com', 'https://docs.example.com/a', true],
    ['example.com', 'https://example.com./', true],
    ['EXAMPLE.com', 'http://Example.COM:8080/', true],
    ['https://example.com', 'https://example.com/a', true],
    ['https://example.com/', 'https://example.com/a', true],
    ['example.com', 'https://notexample.com/', false],
    ['example.com', 'https://example.com.evil.net/', false],
    ['example.com', 'https://evil.net/example.com', false],
    ['*.example.com', 'https://docs.example.com/', true],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['docs.*.com', 'https://docs.any.com/', true],
    ['docs.*.com', 'https://docs.a.b.com/', false],
    ['example.com/docs', 'https://example.com/docs/a', true],
    ['example.com/docs', 'https://example.com/docs', true],
    ['example.com/docs/*', 'https://example.com/docs/a', true],
    ['example.com/docs', 'https://example.com/docs-old', false],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['93.184.216.34', 'https://93.184.216.34/', true],
  ])('%s and %s: %s', (pattern, url, isIncluded) => {
    equal(includes(pattern, url), isIncluded);
  });

  test.each([
    '',
    ' ',
    '*',
    'a b',
    'me@example.com',
    'exa*mple.com',
    'example.com?x',
    'ftp://example.com',
    'example.com#a',
  ])('is refused: "%s"', (pattern) => {
    throws(
      () => parseDomains(['example.com', pattern]),
      (error: Error) => error instanceof InvalidDomain && error.index === 1,
    );
  });

  test('is in no empty list', () => {
    deepEqual(parseDomains([]).includes(new URL('https://example.com/')), false);
  });
});
