import { amountAt, type Amounts, largestOf } from './amounts.ts';
import type { Lease } from './lease.ts';

/** An open reservation. It counts in the windows of `at`, however long it stays open. */
export interface Hold {
  /** The largest amount that it holds of a budget. */
  readonly amountNanoUsd: bigint;
  readonly at: Date;
  /** The leases that pay, in the order of the budgets: the usage fact names them. */
  readonly leaseNumbers: readonly bigint[];
}

/** A hold did not fit: the first budget, in the order of the contract, that is used up, else that is short here. */
export class Shortage {
  readonly lease: Lease;
  /** The amount that the hold would have taken of that budget. */
  readonly neededNanoUsd: bigint;

  constructor(lease: Lease, neededNanoUsd: bigint) {
    this.lease = lease;
    this.neededNanoUsd = neededNanoUsd;
  }

  /** True: the amount can fit once requests that run now have ended, here or at another replica. */
  get isPassing(): boolean {
    const { budget, left = 0n, held, elsewhere } = this.lease;
    // A request to a free model that has ended still counts.
    if (budget.scopeKind === 'free_requests') return false;
    const busy = held + elsewhere;
    return busy > 0n && this.neededNanoUsd <= left + busy;
  }

  /** True: the budget is used up: only a higher limit or the next window helps. */
  get isUsedUp(): boolean {
    const { isSpent, left, held, elsewhere } = this.lease;
    return isSpent || (left === 0n && held === 0n && elsewhere === 0n);
  }
}

/** A hold with its leases. */
export class OpenHold implements Hold {
  readonly at: Date;
  readonly leases: readonly Lease[];
  readonly #amounts: Amounts;

  constructor(leases: readonly Lease[], amounts: Amounts, at: Date) {
    this.leases = leases;
    this.#amounts = amounts;
    this.at = at;
  }

  get amountNanoUsd(): bigint {
    return largestOf(this.#amounts);
  }

  amountAt(index: number): bigint {
    return amountAt(this.#amounts, index);
  }

  get leaseNumbers(): readonly bigint[] {
    return this.leases.map(({ number }) => number);
  }
}
