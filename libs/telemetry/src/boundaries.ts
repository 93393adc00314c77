/** Around the 20 ms within which the ledger should answer, in seconds. */
export const waitBoundaries = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * OpenTelemetry's advice for HTTP servers and for the first output of a model, in seconds, and on to 600 s: an answer
 * of a model takes minutes.
 */
export const requestBoundaries = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 300,
  600,
];

/** OpenTelemetry's advice for token usage, up to a context window of a million. */
export const tokenBoundaries = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576,
];
