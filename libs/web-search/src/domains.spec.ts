import { deepEqual, equal } from 'node:assert/strict';
import { parseDomainFilter } from '@sluice/domain-lists';
import { describe, test } from 'vitest';
import { toldLists, withSites } from './domains.ts';

test.each<[readonly string[], readonly string[]]>([
  [
    ['HTTPS://Bücher.example/A/*', '*.b.example'],
    ['xn--bcher-kva.example/A', '*.b.example'],
  ],
  [['a.example', 'docs.*.com'], []],
])('an engine is told of %j as %j', (given, allowedDomains) => {
  const filter = parseDomainFilter(given, ['c.example', '*.d.example', 'docs.*.com']);
  deepEqual(filter && toldLists(filter), { allowedDomains, excludedDomains: ['c.example'] });
});

describe('a query with sites', () => {
  test('stays as it is when they would make it too long', () => {
    const lists = { allowedDomains: ['a.example'], excludedDomains: ['b.a.example'] };
    equal(withSites('why', lists, 100), 'why site:a.example -site:b.a.example');
    equal(withSites('why', lists, 20), 'why');
  });
});
