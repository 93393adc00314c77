import type { Queryable } from '@sluice/read-model';
import type { SequenceRanges } from '../domain/watermark/sequence-ranges.ts';

const text = `
  INSERT INTO watermarks AS mark (replica, epoch, settled)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::int8multirange[])
  ON CONFLICT (replica, epoch) DO UPDATE SET settled = mark.settled + excluded.settled`;

/** Adds sequences to the settled ranges, in any order. Adjacent ranges become one. */
export async function settleSequences(
  transaction: Queryable,
  writers: readonly SequenceRanges[],
): Promise<void> {
  if (writers.length === 0) return;
  await transaction.query({
    name: 'settle-sequences',
    text,
    values: [
      writers.map(({ replica }) => replica),
      writers.map(({ epoch }) => epoch),
      writers.map(({ ranges }) => `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`),
    ],
  });
}
