import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { systemIds } from './clock.ts';

test('ids are UUIDs of version 7, never the same, each after the one before', () => {
  const ids = Array.from({ length: 20_000 }, () => systemIds.next());
  equal(new Set(ids).size, ids.length);
  deepEqual(ids.toSorted(), ids);
  for (const id of ids.slice(0, 300))
    match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
