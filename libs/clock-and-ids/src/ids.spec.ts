import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { derivedId, eventId, systemIds } from './ids.ts';

describe('ids', () => {
  test('are UUIDs of version 7, never the same, each after the one before', () => {
    const ids = Array.from({ length: 20_000 }, () => systemIds.next());
    equal(new Set(ids).size, ids.length);
    deepEqual(ids.toSorted(), ids);
    for (const id of ids.slice(0, 300))
      match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('begin with the millisecond in which they were made', () => {
    const before = Date.now();
    const madeMs = Number.parseInt(systemIds.next().replace('-', '').slice(0, 12), 16);
    ok(madeMs >= before && madeMs <= Date.now(), `${madeMs}`);
  });

  test('end at random in every digit', () => {
    const ends = Array.from({ length: 1_000 }, () => systemIds.next().slice(-11));
    for (let place = 0; place < 11; place++)
      equal(new Set(ends.map((end) => end[place])).size, 16, `place ${place}`);
  });
});

test('the id of an event follows from its command', () => {
  equal(eventId('c1', 0), eventId('c1', 0));
  equal(new Set([eventId('c1', 0), eventId('c1', 1), eventId('c2', 0)]).size, 3);
});

test('a derived id is a function of its parts and of where they end', () => {
  equal(derivedId('a', 'bc'), derivedId('a', 'bc'));
  equal(new Set([derivedId('a', 'bc'), derivedId('ab', 'c'), derivedId('abc')]).size, 3);
});
