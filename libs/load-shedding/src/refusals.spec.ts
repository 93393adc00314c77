import { deepEqual } from 'node:assert/strict';
import { afterEach, test, vi } from 'vitest';
import { Refusals } from './refusals.ts';

afterEach(() => void vi.useRealTimers());

test('refusals are counted each, and logged at once and then by their reasons every ten seconds', () => {
  vi.useFakeTimers();
  const counted: string[] = [];
  const logged: unknown[] = [];
  const refusals = new Refusals<'full' | 'slow'>({
    counter: { add: (_, { reason }) => void counted.push(reason) },
    logger: { warn: (_, fields) => void logged.push([fields?.reason, fields?.count]) },
  });
  for (const reason of ['full', 'slow', 'slow', 'full', 'slow'] as const) refusals.add(reason);
  deepEqual(counted, ['full', 'slow', 'slow', 'full', 'slow']);
  deepEqual(logged, [['full', 1]]);
  vi.advanceTimersByTime(10_000);
  deepEqual(logged.splice(0), [
    ['full', 1],
    ['slow', 3],
    ['full', 1],
  ]);
  vi.advanceTimersByTime(60_000);
  deepEqual(logged, []);
  refusals.add('slow');
  deepEqual(logged, [['slow', 1]]);
});
