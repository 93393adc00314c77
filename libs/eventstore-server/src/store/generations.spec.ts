import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Generations } from './generations.ts';

describe('a bounded map in generations', () => {
  test('keeps the newest half of its bound and never more than the bound', () => {
    const map = new Generations<number, number>(100, () => 1);
    for (let key = 0; key < 1_000; key++) {
      map.set(key, key);
      const kept = [...Array(key + 1).keys()].filter((each) => map.get(each) !== undefined);
      ok(kept.length <= 100);
      ok(kept.length >= Math.min(key + 1, 50));
      equal(kept.at(0), key + 1 - kept.length);
    }
  });

  test('weighs values, and takes one that is heavier than the bound', () => {
    const map = new Generations<string, string>(10, ({ length }) => length);
    map.set('small', 'abc');
    map.set('large', 'x'.repeat(30));
    equal(map.get('large')?.length, 30);
    map.set('next', 'abc');
    map.set('last', 'abcd');
    deepEqual([map.get('large'), map.get('last')], [undefined, 'abcd']);
  });

  test('gives the newest value of a key', () => {
    const map = new Generations<string, number>(4, () => 1);
    for (const value of [1, 2, 3]) map.set('key', value);
    equal(map.get('key'), 3);
  });

  test('forgets what is said to be gone, in both generations', () => {
    const map = new Generations<number, number>(10, () => 1);
    for (let key = 0; key < 8; key++) map.set(key, key);
    map.deleteWhere((key) => key % 2 === 0);
    deepEqual(
      [...Array(8).keys()].filter((key) => map.get(key) !== undefined),
      [1, 3, 5, 7],
    );
  });
});
