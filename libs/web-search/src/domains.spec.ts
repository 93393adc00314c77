import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isAllowed, withSites } from './domains.ts';

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
