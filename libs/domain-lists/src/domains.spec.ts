import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseDomain, parseDomainFilter } from './domains.ts';

describe('a domain of a list', () => {
  test.each([
    ['example.com', 'https://example.com/', true],
    ['example.com', 'https://docs.example.com/a', true],
    ['example.com', 'https://example.com./', true],
    ['example.com.', 'https://example.com/', true],
    ['EXAMPLE.com', 'http://Example.COM:8080/', true],
    ['https://example.com', 'https://example.com/a', true],
    ['https://example.com/', 'https://example.com/a', true],
    ['example.com', 'https://notexample.com/', false],
    ['example.com', 'https://example.com.evil.net/', false],
    ['example.com', 'https://evil.net/example.com', false],
    ['*.example.com', 'https://docs.example.com/', true],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.com', 'https://example.com/', true],
    ['docs.*.com', 'https://docs.any.com/', true],
    ['docs.*.com', 'https://docs.a.b.com/', false],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
    ['xn--bcher-kva.example', 'https://bücher.example/', true],
    ['93.184.216.34', 'https://93.184.216.34/', true],
    ['93.184.216.34', 'https://93.184.216.35/', false],
  ])('%s and %s: %s', (text, url, isIncluded) => {
    equal(parseDomain(text)?.includes(new URL(url)), isIncluded);
  });

  test.each([
    ['/docs', '/docs/a', true],
    ['/docs', '/docs', true],
    ['/docs/', '/docs', true],
    ['/docs/*', '/docs/a', true],
    ['/docs', '/docs-old', false],
    ['/docs', '/a/docs', false],
    ['/docs', '/DOCS/a', true],
    ['/Docs', '/docs', true],
    ['/docs', '/%64ocs/a', true],
    ['/docs', '//docs/a', true],
    ['/docs', '/a/..%2fdocs', true],
    ['/docs', '/docs/..%2fa', false],
    ['/docs', '/docs%5c..%5ca', false],
    ['/docs', '/%64ocs/%ff', true],
    ['/ä b', '/%C3%A4%20b/c', true],
  ])('with the path %s and a page at %s: %s', (path, page, isIncluded) => {
    const domain = parseDomain(`example.com${path}`);
    equal(domain?.includes(new URL(`https://www.example.com${page}`)), isIncluded);
  });

  test.each([
    ['HTTPS://Docs.Example.com./A/*', 'docs.example.com/A'],
    ['*.Bücher.example', '*.xn--bcher-kva.example'],
    ['docs.*.com/', 'docs.*.com'],
  ])('%s is written as %s', (text, written) => {
    equal(parseDomain(text)?.text, written);
  });

  test.each([
    '',
    ' ',
    '*',
    '*.*',
    'a b',
    'a..b',
    '.example.com',
    'me@example.com',
    'exa*mple.com',
    '1.2.*.4',
    'example.com:80',
    '[::1]',
    'a<b.example',
    'example.com?x',
    'example.com/a?x',
    'example.com#a',
    'example.com/a*/b',
    'ftp://example.com',
    'example.com\\@evil.net',
  ])('is not "%s"', (text) => {
    equal(parseDomain(text), undefined);
  });
});

describe('the lists of a request', () => {
  test.each<[string, readonly string[], readonly string[], boolean]>([
    ['https://site.tld/x', [], [], true],
    ['https://site.tld/x', ['site.tld'], [], true],
    ['https://site.tld/x', ['other.tld'], [], false],
    ['https://site.tld/x', [], ['site.tld'], false],
    ['https://a.site.tld/x', ['site.tld'], ['a.site.tld'], false],
    ['https://b.site.tld/x', ['site.tld'], ['a.site.tld'], true],
  ])('%s of %j without %j: %s', (url, allowed, blocked, isPermitted) => {
    equal(parseDomainFilter(allowed, blocked)?.permits(new URL(url)), isPermitted);
  });

  test('are none if an entry is no domain', () => {
    deepEqual(
      [parseDomainFilter(['a.example', '*'], []), parseDomainFilter([], ['a b'])],
      [undefined, undefined],
    );
  });
});
