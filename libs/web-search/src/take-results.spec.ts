import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { adapters } from './engines/index.ts';
import type { SearchSettings } from './search.ts';
import { takeResults } from './take-results.ts';

const everywhere = { permits: () => true };
const plain: SearchSettings = { maxResults: 5, allowedDomains: [], excludedDomains: [] };
const take = (content: unknown, settings: Partial<SearchSettings> = {}, title: unknown = 't') =>
  takeResults(
    [{ url: 'https://a.example/', title, content }],
    adapters.exa,
    { ...plain, ...settings },
    everywhere,
  )[0];

test('content is cut to the wanted characters and never inside one', () => {
  equal(take('abcdef', { maxCharacters: 3 })?.content, 'abc');
  equal(take('ab😀', { maxCharacters: 3 })?.content, 'ab');
  equal(take('ab😀c', { maxCharacters: 4 })?.content, 'ab😀');
  equal(take('x'.repeat(50_000))?.content.length, 4_000);
  equal(take('x'.repeat(50_000), { contextSize: 'high' })?.content.length, 30_000);
  equal(take('x'.repeat(50_000), { contextSize: 'high', maxCharacters: 7 })?.content.length, 7);
});

test('half characters, control characters and marks of direction are left out', () => {
  equal(take('a\u0000b\ud800c\u202ed\ne')?.content, 'ab\ufffdcd\ne');
  const title = take('', {}, '\u0007')?.title;
  equal(title, 'a.example');
  ok((take('', {}, 'x'.repeat(1_000))?.title.length ?? 0) === 300);
});

test('an address is shown once, and a date only if it is one', () => {
  const stated = [
    { url: 'https://a.example', title: 'one', content: 'c', publishedAt: 'yesterday' },
    { url: 'https://a.example/', title: 'two', content: 'c' },
    { url: `https://a.example/${'x'.repeat(3_000)}`, title: 'three', content: 'c' },
    { url: 'https://b.example/', title: 'four', content: { no: 'text' }, publishedAt: 5 },
  ];
  deepEqual(takeResults(stated, adapters.exa, plain, everywhere), [
    { url: 'https://a.example/', title: 'one', content: 'c' },
    { url: 'https://b.example/', title: 'four', content: '' },
  ]);
});
