import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import type { EngineRequest } from '../adapter.ts';
import { pageAdapters } from './page-adapters.ts';
import { pageEngineNames, type ReadPage } from './page-engine.ts';

interface Fixture {
  readonly request: EngineRequest;
  readonly answer: unknown;
  readonly id?: string;
  readonly page: ReadPage;
  readonly unreadable: unknown;
}

const url = 'https://example.com/volcano';

describe.each(pageEngineNames)('the adapter of %s', (name) => {
  const adapter = pageAdapters[name];
  const file = join(import.meta.dirname, 'fixtures', `${name}.json`);
  const fixture = JSON.parse(readFileSync(file, 'utf8')) as Fixture;

  test('asks as its API wants it', () => {
    deepEqual(adapter.request(url, 8_000), fixture.request);
  });

  test('reads a recorded answer', () => {
    deepEqual(adapter.read(fixture.answer), fixture.page);
    equal(adapter.idOf?.(fixture.answer), fixture.id);
  });

  test('knows a page that the engine could not read', () => {
    equal(adapter.read(fixture.unreadable), 'unreadable');
  });

  test.each([[null], [[]], ['text'], [{}], [{ results: 'none' }], [{ success: true, data: 3 }]])(
    'takes %j for no answer',
    (answer) => {
      equal(adapter.read(answer), undefined);
    },
  );
});
