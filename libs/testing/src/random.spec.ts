import { deepEqual, notDeepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { seededRandom } from './random.ts';

const numbers = (seed: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: 100 }, () => random.below(10));
};

describe('seeded chance', () => {
  test('makes the same choices for the same seed, and others for another', () => {
    deepEqual(numbers(7), numbers(7));
    notDeepEqual(numbers(7), numbers(8));
  });

  test('makes every choice that there is', () => {
    deepEqual(new Set(numbers(7)), new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    const random = seededRandom(1);
    const drawn = Array.from({ length: 100 }, () => random.between(3, 5));
    deepEqual(new Set(drawn), new Set([3, 4, 5]));
  });

  test('forks into one that does not depend on later choices', () => {
    const [one, other] = [seededRandom(7), seededRandom(7)];
    const [left, right] = [one.fork(), other.fork()];
    other.next();
    ok(left.next() === right.next());
  });
});
