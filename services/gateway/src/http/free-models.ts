const dailyRequests = 50;
/** Of an account that has ever bought this much. */
const dailyRequestsOfBuyers = 1_000;
const buyerNanoUsdMin = 10_000_000_000n;

/** A free variant of a model: its name says so. */
export function isFreeModel(model: string): boolean {
  return model.endsWith(':free');
}

/** How many requests to free variants an account may make in a UTC day, and has left. */
export function freeModelQuota(purchasedNanoUsd: bigint, used: number) {
  const limit = purchasedNanoUsd >= buyerNanoUsdMin ? dailyRequestsOfBuyers : dailyRequests;
  return { limit, used, remaining: Math.max(0, limit - used) };
}
