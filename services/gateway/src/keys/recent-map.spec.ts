import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

function filled(entriesMax: number, count: number): RecentMap<number> {
  const map = new RecentMap<number>(entriesMax);
  for (let number = 0; number < count; number++) map.set(String(number), number);
  return map;
}

describe('a map of what was asked for lately', () => {
  test('keeps everything while there is room', () => {
    const map = filled(10, 5);
    deepEqual([map.size, map.get('0'), map.get('4'), map.get('5')], [5, 0, 4, undefined]);
  });

  test('never has more than it may, and always the newest half', () => {
    for (let count = 1; count < 40; count++) {
      const map = filled(10, count);
      ok(map.size <= 10);
      for (let number = Math.max(0, count - 5); number < count; number++)
        equal(map.get(String(number)), number);
    }
  });

  test('keeps what is asked for again and again, and drops what is not', () => {
    const map = filled(10, 5);
    for (let number = 5; number < 100; number++) {
      map.set(String(number), number);
      equal(map.get('0'), 0);
    }
    equal(map.get('1'), undefined);
  });

  test('has one value for each name, the last one, in whichever generation it was', () => {
    const map = filled(10, 6);
    map.set('0', 100);
    map.set('5', 500);
    deepEqual([map.get('0'), map.get('5'), map.size], [100, 500, 6]);
  });

  test('forgets one, or all, in whichever generation it was', () => {
    const map = filled(10, 6);
    map.delete('0');
    map.delete('5');
    deepEqual([map.has('0'), map.has('5'), map.has('1'), map.size], [false, false, true, 4]);
    map.clear();
    deepEqual([map.size, map.get('1')], [0, undefined]);
  });
});
