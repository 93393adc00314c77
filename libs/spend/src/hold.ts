import type { Lease } from './lease.ts';

/** An open reservation. It counts in the windows of `at`, however long it stays open. */
export interface Hold {
  readonly amountNanoUsd: bigint;
  readonly at: Date;
  /** The leases that pay: the usage fact names them. */
  readonly leaseNumbers: readonly bigint[];
}

/** A hold did not fit: the first budget, in the order of the contract, that is used up, else that is short here. */
export class Shortage {
  readonly lease: Lease;

  constructor(lease: Lease) {
    this.lease = lease;
  }
}

/** A hold with its leases. */
export class OpenHold implements Hold {
  readonly amountNanoUsd: bigint;
  readonly at: Date;
  readonly leases: readonly Lease[];

  constructor(leases: readonly Lease[], amountNanoUsd: bigint, at: Date) {
    this.leases = leases;
    this.amountNanoUsd = amountNanoUsd;
    this.at = at;
  }

  get leaseNumbers(): readonly bigint[] {
    return this.leases.map(({ number }) => number);
  }
}
