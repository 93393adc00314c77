/** A budget in one window, as the authority knows it. Nano-USD. */
export interface BudgetState {
  /** If undefined, the budget has no cap. */
  readonly limitNanoUsd?: bigint | undefined;
  /** Spent and counted. */
  readonly settledNanoUsd: bigint;
  /** Out on leases of all replicas. */
  readonly leasedNanoUsd: bigint;
}

/** The question of a replica about a budget. */
export interface GrantQuestion {
  /** All that was granted on this lease, and what of it the replica knows: an answer may be lost. */
  readonly grantedNanoUsd: bigint;
  readonly knownNanoUsd: bigint;
  /** Granted as far as there is room. */
  readonly needNanoUsd: bigint;
  /** Granted instead while enough is left for everybody. */
  readonly wantedNanoUsd: bigint;
  readonly usualHoldNanoUsd: bigint;
}

/** Returns the amount that may still be leased. undefined: any amount. Negative if a limit was lowered. */
export function roomNanoUsd(budget: BudgetState): bigint | undefined {
  const { limitNanoUsd, settledNanoUsd, leasedNanoUsd } = budget;
  return limitNanoUsd === undefined ? undefined : limitNanoUsd - settledNanoUsd - leasedNanoUsd;
}

/**
 * Returns the amount to grant in addition: never more than the room, so settled + leased ≤ limit stays true. A
 * replica gets ahead of its need by half of its share of the room; when that is less than a usual
 * hold, it gets exactly what it needs, so that any replica can spend the last cent.
 */
export function grantNanoUsd(budget: BudgetState, asked: GrantQuestion, replicas: bigint): bigint {
  const unseen = maximum(0n, asked.grantedNanoUsd - asked.knownNanoUsd);
  const need = maximum(0n, asked.needNanoUsd - unseen);
  const wanted = maximum(need, asked.wantedNanoUsd - unseen);
  const room = roomNanoUsd(budget);
  if (room === undefined) return wanted;
  if (room <= 0n) return 0n;
  const share = aheadNanoUsd(room, replicas);
  const ahead = share < asked.usualHoldNanoUsd ? 0n : minimum(wanted, share);
  return minimum(room, maximum(need, ahead));
}

/** Returns the amount that one replica may have ahead of its need. All replicas together leave half of the room. */
export function aheadNanoUsd(room: bigint, replicas: bigint): bigint {
  return room / (2n * maximum(1n, replicas));
}

export function maximum(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function minimum(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
