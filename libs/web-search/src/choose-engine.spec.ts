import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { createSearchEngines } from './choose-engine.ts';
import { createSearchEngine } from './create-engine.ts';
import type { EngineName } from './search.ts';

const enginesOf = (...names: readonly EngineName[]) =>
  createSearchEngines(names.map((name) => createSearchEngine({ name, baseUrl: 'http://engine' })));

test('an engine that is not configured is replaced by the default, which is SearXNG if it is there', () => {
  const engines = enginesOf('tavily', 'exa', 'searxng');
  deepEqual(engines.names, ['searxng', 'exa', 'tavily']);
  equal(engines.choose(undefined)?.name, 'searxng');
  equal(engines.choose('exa')?.name, 'exa');
  equal(engines.choose('parallel')?.name, 'searxng');
  equal(engines.choose('firecrawl')?.name, 'searxng');
  equal(enginesOf('brave', 'tavily').choose('exa')?.name, 'tavily');
  equal(enginesOf('simulator', 'firecrawl').choose('auto')?.name, 'firecrawl');
});

test('without an engine there is none', () => {
  equal(enginesOf().choose('exa'), undefined);
  deepEqual(enginesOf().names, []);
});
