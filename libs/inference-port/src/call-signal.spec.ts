import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { abortSignalOf, CallAbort } from './call-signal.ts';

test('an abort reaches each listener once, with the first reason', () => {
  const call = new CallAbort();
  const told: unknown[] = [];
  const leaves = () => void told.push('left');
  call.addEventListener('abort', () => void told.push(call.reason));
  call.addEventListener('abort', leaves);
  call.removeEventListener('abort', leaves);
  equal(call.aborted, false);
  const [first, second] = [new Error('first'), new Error('second')];
  call.abort(first);
  call.abort(second);
  deepEqual(told, [first]);
  deepEqual([call.aborted, call.reason], [true, first]);
});

test('an AbortSignal follows a call, and stands for itself', () => {
  const call = new CallAbort();
  const before = abortSignalOf(call);
  const reason = new Error('over');
  equal(before.aborted, false);
  call.abort(reason);
  for (const signal of [before, abortSignalOf(call)])
    deepEqual([signal.aborted, signal.reason], [true, reason]);
  equal(abortSignalOf(before), before);
});
