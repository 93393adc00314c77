/** One amount for all budgets of a request, or one for each, in their order. Nano-USD. */
export type Amounts = bigint | readonly bigint[];

/** What it is of one of them; of a budget beyond the last amount, nothing. */
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
