import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { Drains } from './drains.ts';

test('a thousand streams are read on without a client, and then the oldest is ended for each', () => {
  const drains = new Drains();
  const ended: number[] = [];
  const added = Array.from({ length: 1_002 }, (_, number) => drains.add(() => ended.push(number)));
  deepEqual(ended, [0, 1]);
  equal(drains.size, 1_000);
  for (const done of added) done();
  equal(drains.size, 0);
  deepEqual(ended, [0, 1]);
});
