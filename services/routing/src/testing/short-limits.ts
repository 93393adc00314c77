/** Of a routing whose patience with a provider, and with a client that left, a test sees end. */
export const shortLimits = {
  firstOutputTimeoutMs: 300,
  wholeTimeoutMs: 300,
  idleTimeoutMs: 300,
  statusHeldMs: 100,
  keepAliveMs: 40,
  drainMs: 400,
};
