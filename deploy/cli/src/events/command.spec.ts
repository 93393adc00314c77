import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';

const parse = (words: string) => parseCommandLine(words.split(' '));

describe('sluice events replay', () => {
  test('takes a day to begin with, and optionally one to end before, and an account', () => {
    const from = new Date('2026-11-01');
    deepEqual(parse('events replay --from 2026-11-01'), {
      name: 'replay',
      command: { from, to: undefined, accountId: undefined },
    });
    deepEqual(parse('events replay --from 2026-11-01 --to 2026-11-02 --account org_1'), {
      name: 'replay',
      command: { from, to: new Date('2026-11-02'), accountId: 'org_1' },
    });
  });

  test.each([
    ['events replay', /--from/],
    ['events replay --from yesterday', /no UTC day/],
    ['events replay --from 2026-02-30', /no UTC day/],
    ['events', /sluice events what\? One of replay/],
  ])('refuses: %s', (words, message) => {
    throws(() => parse(words), message);
  });
});
