/** The question about one lease. Amounts are nano-USD. Granted and returned are totals of the lease. */
export interface LeaseRequest {
  readonly number: bigint;
  readonly budget: {
    readonly accountId: string;
    readonly scopeKind: string;
    readonly scopeId: string;
    readonly windowKind: string;
    readonly windowStart: string;
  };
  readonly grantedNanoUsd: bigint;
  readonly returnedNanoUsd: bigint;
  readonly needNanoUsd: bigint;
  readonly wantedNanoUsd: bigint;
  readonly usualHoldNanoUsd: bigint;
  readonly limitNanoUsd: bigint | undefined;
  readonly includeByok: boolean;
  readonly close: boolean;
  /** The amount that open holds have of the lease. */
  readonly heldNanoUsd?: bigint | undefined;
}

/** The state of a lease and its budget, in nano-USD. */
export interface LeaseAnswer {
  readonly number: bigint;
  readonly grantedNanoUsd: bigint;
  readonly countedNanoUsd: bigint;
  /** If undefined, the budget has no cap. */
  readonly limitNanoUsd?: bigint | undefined;
  readonly settledNanoUsd: bigint;
  readonly leasedNanoUsd: bigint;
}

/** Decides for all replicas how much each may spend. */
export interface Authority {
  /** One answer per request, in order. Throws when it cannot be asked: it may have granted all the same. */
  acquire(requests: readonly LeaseRequest[]): Promise<{
    readonly leases: readonly LeaseAnswer[];
    /** That share what is left. */
    readonly replicas: bigint;
  }>;
}

/** One call asks of so many leases at most. */
export const leasesPerCallMax = 500;
