import { DDSketch } from '@datadog/sketches-js';

/** The values that have percentiles. */
export const sketchNames = ['latency', 'throughput'] as const;
export type SketchName = (typeof sketchNames)[number];

/** A percentile is wrong by at most this share of the value. */
const relativeAccuracy = 0.01;

const { mapping } = new DDSketch({ relativeAccuracy });

/** The bin of 0, below that of the smallest other value (a millionth). */
const zeroBin = -700;
const valueMin = 0.000_001;

/**
 * Returns the bin of a DDSketch that a value falls into. Bins of the same number are added up, so that sketches merge
 * in any database, and a value that was corrected is taken out again.
 */
export function binOf(value: number): number {
  return value < valueMin ? zeroBin : mapping.key(value);
}

/** Returns the value that a bin stands for. */
export function valueOfBin(bin: number): number {
  return bin <= zeroBin ? 0 : mapping.value(bin);
}
