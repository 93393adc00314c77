/** The starts of the windows that a question is about. */
export interface WindowStarts {
  readonly lifetime: Date;
  readonly daily: Date;
  readonly weekly: Date;
  readonly monthly: Date;
}

/** Spend per window, in nano-USD. */
export interface WindowAmounts {
  readonly lifetimeNanoUsd: bigint;
  readonly dailyNanoUsd: bigint;
  readonly weeklyNanoUsd: bigint;
  readonly monthlyNanoUsd: bigint;
}
