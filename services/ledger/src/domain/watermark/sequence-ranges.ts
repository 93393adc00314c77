import type { Place } from '@sluice/usage-facts';

/** The sequences of one writer as half-open ranges. */
export interface SequenceRanges {
  readonly replica: string;
  readonly epoch: bigint;
  /** Ascending, neither touching nor empty. */
  readonly ranges: readonly (readonly [from: bigint, to: bigint])[];
}

/** Groups places by writer, in the order of replica and epoch; neighbours become one range. */
export function sequenceRanges(places: readonly Place[]): readonly SequenceRanges[] {
  const ordered = places.toSorted(byPlace);
  const writers: { replica: string; epoch: bigint; ranges: [bigint, bigint][] }[] = [];
  for (const { replica, epoch, sequence } of ordered) {
    let writer = writers.at(-1);
    if (!writer || writer.replica !== replica || writer.epoch !== epoch) {
      writer = { replica, epoch, ranges: [] };
      writers.push(writer);
    }
    const last = writer.ranges.at(-1);
    if (last && sequence <= last[1]) last[1] = sequence === last[1] ? sequence + 1n : last[1];
    else writer.ranges.push([sequence, sequence + 1n]);
  }
  return writers;
}

function byPlace(a: Place, b: Place): number {
  if (a.replica !== b.replica) return a.replica < b.replica ? -1 : 1;
  if (a.epoch !== b.epoch) return a.epoch < b.epoch ? -1 : 1;
  return a.sequence < b.sequence ? -1 : Number(a.sequence > b.sequence);
}
