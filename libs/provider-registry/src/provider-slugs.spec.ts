import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  engineSlugs,
  isEngineSlug,
  isProviderSlug,
  isWellFormedSlug,
  providerSlugs,
} from './index.ts';

describe('the slugs of providers', () => {
  test('are each there once, in order, and can stand in a path', () => {
    equal(providerSlugs.length, 102);
    deepEqual([...new Set<string>(providerSlugs)].toSorted(), [...providerSlugs]);
    for (const slug of providerSlugs)
      equal(isWellFormedSlug(slug) && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug), true, slug);
  });

  test.each(['openai', 'z-ai', 'amazon-bedrock', 'google-vertex'])('know %s', (slug) => {
    equal(isProviderSlug(slug), true);
  });

  test('tell engines from providers of models', () => {
    for (const slug of engineSlugs)
      deepEqual(
        [isWellFormedSlug(slug), isEngineSlug(slug), isProviderSlug(slug)],
        [true, true, false],
      );
    equal(isEngineSlug('openai'), false);
  });

  test.each([
    ['my-own-server', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['', false],
    ['Mine', false],
    ['a/b', false],
    ['a b', false],
    ['a\n', false],
  ])('have a form: %j', (text, isOne) => equal(isWellFormedSlug(text), isOne));

  test.each(['', 'OpenAI', 'open ai', 'constructor', 'nobody'])('do not know %j', (slug) => {
    equal(isProviderSlug(slug), false);
  });
});
