/** Timeouts that a test can wait for. */
export const shortLimits = {
  firstOutputTimeoutMs: 300,
  wholeTimeoutMs: 300,
  idleTimeoutMs: 300,
  statusHeldMs: 100,
  keepAliveMs: 40,
  drainMs: 400,
};
