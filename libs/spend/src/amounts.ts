/** One amount for all budgets of a request, or one for each, in their order. Nano-USD. */
export type Amounts = bigint | readonly bigint[];

/** Returns the amount of one budget. A budget beyond the last amount has 0. */
export function amountAt(amounts: Amounts, index: number): bigint {
  return typeof amounts === 'bigint' ? amounts : (amounts[index] ?? 0n);
}

/** The largest one. */
export function largestOf(amounts: Amounts): bigint {
  if (typeof amounts === 'bigint') return amounts;
  return amounts.reduce((largest, amount) => (amount > largest ? amount : largest), 0n);
}

export function areAmounts(amounts: Amounts): boolean {
  return typeof amounts === 'bigint' ? amounts >= 0n : amounts.every((amount) => amount >= 0n);
}
