import type { Prices } from '@sluice/inference';

const attoPerNano = 1_000_000_000n;

/** The prices of a free call. */
const free = newPrices(0n);

/** Returns the prices at which a call of a tool costs the amount: a call uses no tokens. */
export function pricesOfTool(costNanoUsd: bigint): Prices {
  return costNanoUsd === 0n ? free : newPrices(costNanoUsd);
}

function newPrices(costNanoUsd: bigint): Prices {
  return {
    inputTokenAttoUsd: 0n,
    cachedTokenAttoUsd: 0n,
    outputTokenAttoUsd: 0n,
    requestAttoUsd: costNanoUsd * attoPerNano,
  };
}
