import type { CountedWindowKind } from '../window/window.ts';

/** Requests to free models that an account may make in a UTC minute and in a UTC day. */
const perMinute = 20n;
const perDay = 50n;
/** The daily limit of an account that has bought credits for `buyerNanoUsdMin` or more. */
const perDayOfBuyers = 1_000n;
const buyerNanoUsdMin = 10_000_000_000n;

/** The windows that requests to free models are limited and counted in. */
export const freeRequestWindowKinds = ['daily', 'minute'] as const;

/** Returns how many requests to free models fit into a window; refunds change nothing. */
export function freeRequestLimit(windowKind: string, purchasedNanoUsd: bigint): bigint {
  if (windowKind === ('minute' satisfies CountedWindowKind)) return perMinute;
  return purchasedNanoUsd >= buyerNanoUsdMin ? perDayOfBuyers : perDay;
}
