import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isAllowed, isDomainPattern, withSites } from './domains.ts';

describe('a domain pattern', () => {
  test.each(['site.tld', '*.site.tld', 'site.tld/blog', 'a.b.co.uk', 'xn--bcher-kva.example'])(
    'may be %s',
    (text) => {
      equal(isDomainPattern(text), true);
    },
  );
  test.each([
    '',
    'site',
    'https://site.tld',
    'site.tld:80',
    'site..tld',
    '-site.tld',
    '*.*.tld',
    'user@site.tld',
    'site.tld/with space',
    '127.0.0.1',
    `${'a'.repeat(64)}.tld`,
    `site.tld/${'a'.repeat(400)}`,
  ])('may not be %j', (text) => {
    equal(isDomainPattern(text), false);
  });
});

describe('a result', () => {
  test.each<[string, readonly string[], readonly string[], boolean]>([
    ['https://site.tld/x', [], [], true],
    ['https://site.tld/x', ['site.tld'], [], true],
    ['https://www.site.tld/x', ['site.tld'], [], true],
    ['https://www.site.tld/x', ['*.site.tld'], [], true],
    ['https://notsite.tld/x', ['site.tld'], [], false],
    ['https://site.tld.evil.example/x', ['site.tld'], [], false],
    ['https://site.tld/blog/1', ['site.tld/blog'], [], true],
    ['https://site.tld/blog', ['site.tld/blog/'], [], true],
    ['https://site.tld/blogger', ['site.tld/blog'], [], false],
    ['https://SITE.tld/Blog', ['Site.TLD/blog'], [], true],
    ['https://site.tld/x', [], ['site.tld'], false],
    ['https://a.site.tld/x', ['site.tld'], ['a.site.tld'], false],
    ['https://b.site.tld/x', ['site.tld'], ['a.site.tld'], true],
  ])('%s of %j without %j: %s', (url, allowedDomains, excludedDomains, expected) => {
    equal(isAllowed(new URL(url), { allowedDomains, excludedDomains }), expected);
  });
});

describe('a query with sites', () => {
  test('stays as it is when they would make it too long', () => {
    const lists = { allowedDomains: ['a.example'], excludedDomains: ['b.a.example'] };
    equal(withSites('why', lists, 100), 'why site:a.example -site:b.a.example');
    equal(withSites('why', lists, 20), 'why');
  });
});
