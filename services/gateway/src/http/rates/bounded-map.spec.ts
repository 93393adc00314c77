import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { boundedMap } from './bounded-map.ts';

test('a bounded map drops the longest unused entry for a new one', () => {
  const map = boundedMap<number>(3);
  for (const [index, name] of ['a', 'b', 'c'].entries()) map.set(name, index);
  equal(map.get('a'), 0);
  map.set('d', 3);
  equal(map.size, 3);
  equal(map.get('b'), undefined);
  equal(map.get('a'), 0);
});
