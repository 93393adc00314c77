import { equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { numericIdEnd, numericIdOf } from './index.ts';

test('the numeric id of a key is the first 48 bits of its hash', () => {
  equal(numericIdOf(`0000000000ff${'ab'.repeat(26)}`), 255);
  const most = numericIdOf('f'.repeat(64));
  equal(most, numericIdEnd - 1);
  ok(Number.isSafeInteger(most));
});
