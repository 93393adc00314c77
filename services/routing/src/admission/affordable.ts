import type { PlannedAttempt } from '../selection/plan.ts';
import { type Budgets, fitsNow } from './hold-worst.ts';
import type { Spender } from './hold-or-ask.ts';
import type { InputMeasure } from './input-bound.ts';
import { affordableOutputTokens, worstCase } from './worst-case.ts';

/** More than any model writes: what is looked for lies below it. */
const countedMax = 2_097_152;

/** Returns how many output tokens the leases pay for; below 0: not even the input. */
export function affordableTokens(
  spender: Spender,
  budgets: Budgets,
  {
    attempts,
    input,
    wanted,
  }: {
    readonly attempts: readonly PlannedAttempt[];
    readonly input: InputMeasure;
    readonly wanted: number;
  },
): number {
  if (attempts.every(({ credential }) => credential === undefined)) {
    const left = spender.spending.affordableNanoUsd(budgets.all, spender.clock.now());
    return affordableOutputTokens(attempts, input, left);
  }
  // The cost only grows, with a bend where the free part ends: a binary search finds the limit.
  let fits = -1;
  let tooMany = Math.min(wanted, countedMax) + 1;
  while (tooMany - fits > 1) {
    const tokens = Math.floor((fits + tooMany) / 2);
    if (fitsNow(spender, budgets, worstCase(attempts, input, tokens))) fits = tokens;
    else tooMany = tokens;
  }
  return fits;
}
