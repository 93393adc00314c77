import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { eventStoreReaders, listedInVain } from './event-store-readers.ts';
import { readPackages, readSources, type Source, trackedFiles } from './source.ts';

const files = trackedFiles();
const sources = readSources(files, readPackages(files));

describe('the event store is read', () => {
  test('by command handlers and reactions, and by no question', () => {
    deepEqual(eventStoreReaders(sources), []);
  });

  test('by no module that is listed without need', () => {
    deepEqual(listedInVain(sources), []);
  });

  test.each([
    [
      'a query',
      'services/key/src/queries/find-api-key.ts',
      "import type { EventStore } from '@sluice/es';",
    ],
    ['a question', 'services/key/src/rpc/key-questions.ts', 'await apiKeyEvents.load(store, hash)'],
    [
      'a cache',
      'services/gateway/src/keys/principal-cache.ts',
      'dependencies.eventStore.read(stream)',
    ],
    [
      'a projection',
      'services/key/src/projections/api-keys.ts',
      'await aggregateAfter(store, key)',
    ],
  ])('and %s that does is found', (_name, path, text) => {
    const changed = sources.map((source): Source =>
      source.path === path ? { ...source, text: `${source.text}\n${text}` } : source,
    );
    deepEqual(eventStoreReaders(changed).length, 1);
  });
});
