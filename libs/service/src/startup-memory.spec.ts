import { equal, ok } from 'node:assert/strict';
import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { releaseStartupMemory } from './startup-memory.ts';

const objects = 1_000_000;

test('what starting took and nobody needs any more is given back', () => {
  let started: object[] | undefined = Array.from({ length: objects }, (_, index) => ({ index }));
  const { total_physical_size: before } = getHeapStatistics();
  equal(started.length, objects);
  started = undefined;
  releaseStartupMemory();
  const { total_physical_size: after } = getHeapStatistics();
  ok(before - after > objects * 8, `${before} bytes before, ${after} after`);
  expect('gc' in globalThis).toBe(false);
});
