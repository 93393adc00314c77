import { deepEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { sequenceRanges } from './sequence-ranges.ts';

const at = (replica: string, epoch: bigint, ...sequences: bigint[]) =>
  sequences.map((sequence) => ({ replica, epoch, sequence }));

describe('the sequences of a batch', () => {
  test('are grouped by writer and joined to ranges, whatever their order', () => {
    const places = [...at('b', 1n, 3n, 1n, 2n, 2n, 7n), ...at('a', 2n, 5n), ...at('a', 1n, 9n)];
    deepEqual(sequenceRanges(places), [
      { replica: 'a', epoch: 1n, ranges: [[9n, 10n]] },
      { replica: 'a', epoch: 2n, ranges: [[5n, 6n]] },
      {
        replica: 'b',
        epoch: 1n,
        ranges: [
          [1n, 4n],
          [7n, 8n],
        ],
      },
    ]);
  });

  test('are in the ranges, and nothing else is', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 30n)), (sequences) => {
        const [writer] = sequenceRanges(at('a', 1n, ...sequences));
        const within = (sequence: bigint) =>
          writer?.ranges.some(([from, to]) => from <= sequence && sequence < to) ?? false;
        for (let sequence = 1n; sequence <= 31n; sequence++)
          ok(within(sequence) === sequences.includes(sequence));
      }),
    );
  });
});
