import type { BoxLimits } from '../engine/limits.ts';

const mebibyte = 1_048_576;

/** Limits that a bomb reaches at once, far below what this machine has. */
export const smallLimits: BoxLimits = {
  memoryBytes: 128 * mebibyte,
  homeBytes: 16 * mebibyte,
  filesMax: 2_000,
  processesMax: 40,
  cpus: 1,
};
