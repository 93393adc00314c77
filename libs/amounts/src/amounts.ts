const nanoPerUsd = 1_000_000_000n;

/** The most that one amount can be, in nano-USD: a billion USD. */
export const amountNanoUsdMax = 1_000_000_000n * nanoPerUsd;

/** The most that an account may ever be given in credits. The books sum credits in 64 bits. */
export const creditsNanoUsdMax = 8n * amountNanoUsdMax;

/** Returns the limit that counts. Limits above the bound were accepted before there was one. */
export function boundedLimit(limitNanoUsd: bigint): bigint {
  return limitNanoUsd < amountNanoUsdMax ? limitNanoUsd : amountNanoUsdMax;
}
