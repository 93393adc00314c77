/** The limits of one box and of each of its commands. */
export interface BoxLimits {
  /** All processes of a box together; the home, which lies in memory, comes on top. */
  readonly memoryBytes: number;
  readonly homeBytes: number;
  readonly filesMax: number;
  readonly processesMax: number;
  /** Processors, as a fraction: 1 is one of them. */
  readonly cpus: number;
}

const mebibyte = 1_048_576;

export const defaultLimits: BoxLimits = {
  memoryBytes: 512 * mebibyte,
  homeBytes: 256 * mebibyte,
  filesMax: 20_000,
  processesMax: 64,
  cpus: 1,
};

/** A command that writes more than this on one output is ended. */
export const drainedBytesMax = 16 * mebibyte;
