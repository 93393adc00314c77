import { deepEqual } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { clean, createOutput } from './output.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const terminal = (isTTY: boolean) => {
  const written: string[] = [];
  return { written, isTTY, write: (text: string) => written.push(text) };
};

test('a text from outside keeps no control character', () => {
  deepEqual(clean('a\u001B[31m\r\nb\u009B'), 'a\u{FFFD}[31m\u{FFFD}\u{FFFD}b\u{FFFD}');
});

describe('the output', () => {
  test('is as wide as the terminal, and as wide as it wants to be in a pipe', () => {
    const wide = (isTTY: boolean) => ({ ...terminal(isTTY), columns: 80 });
    deepEqual(
      [createOutput(wide(true), terminal(false)), createOutput(wide(false), terminal(true))].map(
        ({ columns }) => columns,
      ),
      [80, undefined],
    );
  });

  test('keeps one line of progress on a terminal, and takes it away before anything else', () => {
    const results = terminal(true);
    const remarks = terminal(true);
    const output = createOutput(results, remarks);
    output.progress('1 event');
    output.progress('2 events');
    output.line('done');
    output.problem('but');
    deepEqual(remarks.written, ['1 event', '\r\u001B[2K', '2 events', '\r\u001B[2K', 'but\n']);
    deepEqual(results.written, ['done\n']);
  });

  test('tells of progress every ten seconds where lines stay', () => {
    const remarks = terminal(false);
    const output = createOutput(terminal(false), remarks);
    for (let second = 1; second <= 21; second++) {
      output.progress(`second ${second}`);
      vi.advanceTimersByTime(1_000);
    }
    deepEqual(remarks.written, ['second 1\n', 'second 11\n', 'second 21\n']);
  });
});
