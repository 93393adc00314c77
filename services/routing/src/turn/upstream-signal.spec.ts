import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { UpstreamSignal } from './upstream-signal.ts';

test('an abort reaches each listener once, with the first reason', () => {
  const signal = new UpstreamSignal();
  const told: unknown[] = [];
  const leaves = () => void told.push('left');
  signal.addEventListener('abort', () => void told.push(signal.reason));
  signal.addEventListener('abort', leaves);
  signal.removeEventListener('abort', leaves);
  equal(signal.aborted, false);
  const [first, second] = [new Error('first'), new Error('second')];
  signal.abort(first);
  signal.abort(second);
  deepEqual(told, [first]);
  deepEqual([signal.aborted, signal.reason], [true, first]);
});
