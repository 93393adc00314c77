import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import type { EngineRequest } from '../adapter.ts';
import { engineNames, type EngineName, type SearchResult, type SearchSettings } from '../search.ts';
import { takeResults } from '../take-results.ts';
import { adapters } from './index.ts';

interface Fixture {
  readonly requests: readonly {
    readonly settings: SearchSettings;
    readonly request: EngineRequest;
  }[];
  readonly answer: Readonly<Record<string, unknown>>;
  readonly results: readonly SearchResult[];
}

const folder = join(import.meta.dirname, '..', 'fixtures');
const query = 'tallest volcano of the solar system';
const plain: SearchSettings = { maxResults: 5, allowedDomains: [], excludedDomains: [] };
const everywhere = { permits: () => true };
const fixtures = readdirSync(folder).map((file) => ({
  name: file.replace('.json', '') as EngineName,
  fixture: JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fixture,
}));

test('each engine has recorded requests and answers', () => {
  const recorded = fixtures.map(({ name }) => name).toSorted();
  deepEqual(recorded, engineNames.filter((name) => name !== 'simulator').toSorted());
});

describe.each(fixtures)('the adapter of $name', ({ name, fixture }) => {
  const adapter = adapters[name];

  test.each(fixture.requests)('asks as its API wants it: $settings', ({ settings, request }) => {
    deepEqual(adapter.request(query, settings, 1), request);
  });

  test('reads a recorded answer', () => {
    const stated = adapter.read(fixture.answer);
    ok(stated);
    deepEqual(takeResults(stated, adapter, plain, everywhere), fixture.results);
  });

  test('leaves out a result without an address, and reads the others', () => {
    const broken = structuredClone(fixture.answer);
    const [first] = listIn(broken);
    ok(first);
    for (const url of [
      undefined,
      7,
      'no address',
      'javascript:alert(1)',
      'https://u:p@a.example/',
    ]) {
      first['url'] = url;
      const stated = adapter.read(broken);
      ok(stated);
      deepEqual(
        takeResults(stated, adapter, plain, everywhere),
        fixture.results.slice(1),
        String(url),
      );
    }
  });

  test.each([[null], [[]], ['text'], [{}], [{ results: 'none' }], [{ data: [] }], [{ web: 3 }]])(
    'takes %j for no answer',
    (answer) => {
      equal(adapter.read(answer), undefined);
    },
  );
});

type Results = Record<string, unknown>[];
function listIn(answer: Readonly<Record<string, unknown>>): Results {
  const { results, web, data } = answer as {
    results?: Results;
    web?: { results: Results };
    data?: { web: Results };
  };
  return results ?? web?.results ?? data?.web ?? [];
}
