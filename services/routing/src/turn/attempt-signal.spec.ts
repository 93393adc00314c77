import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { AttemptSignal } from './attempt-signal.ts';

describe('the signal of an attempt', () => {
  test('is aborted once, for the first reason, and tells who listens', () => {
    const signal = new AttemptSignal();
    const heard: unknown[] = [];
    signal.addEventListener('abort', () => void heard.push(signal.reason));
    equal(signal.aborted, false);
    signal.abort('first');
    signal.abort('second');
    deepEqual([signal.aborted, signal.reason, heard], [true, 'first', ['first']]);
  });

  test('tells nobody who has gone, though an attempt that is over goes late', () => {
    const signal = new AttemptSignal();
    const heard: string[] = [];
    const [first, second] = [() => void heard.push('first'), () => void heard.push('second')];
    signal.addEventListener('abort', first);
    signal.removeEventListener('abort', first);
    signal.addEventListener('abort', second);
    signal.removeEventListener('abort', first);
    signal.abort('now');
    deepEqual(heard, ['second']);
  });
});
