import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCpuList, placementOn } from './cpu-list.ts';

test('a list of processors is read as the kernel writes it', () => {
  deepEqual(
    ['0-1\n', '3', '0-2,5,8-9', ''].map((text) => parseCpuList(text)),
    [[0, 1], [3], [0, 1, 2, 5, 8, 9], []],
  );
});

describe('what is measured', () => {
  test('has a processor of its own, whatever else has to share', () => {
    deepEqual(placementOn([0, 1]), { subject: [0], upstream: [1], load: [1], others: [1] });
    deepEqual(placementOn([2, 3, 4]), { subject: [2], upstream: [3], load: [4], others: [4] });
    deepEqual(placementOn([0, 1, 2, 3, 4]), {
      subject: [0],
      upstream: [1],
      load: [2],
      others: [3, 4],
    });
  });

  test('runs where it may when there is one processor', () => {
    equal(placementOn([0]), undefined);
  });
});
