import { ok } from 'node:assert/strict';
import { test } from 'vitest';
import { watchStalls } from './index.ts';

test('time in which the process could not run is counted', () => {
  const stalls = watchStalls();
  const untilMs = performance.now() + 300;
  while (performance.now() < untilMs);
  const stalledMs = stalls.stalledMs();
  stalls.stop();
  ok(stalledMs >= 250, `${stalledMs} ms`);
});
