import type { Authority } from './authority.ts';
import { budgetKey, type Budget } from './budget.ts';
import { LeaseBatcher } from './lease-batcher.ts';
import { Lease } from './lease.ts';

/** The leases of one account: one per budget and window. */
export class AccountLeases {
  readonly batcher: LeaseBatcher;
  readonly #nextNumber: () => bigint;
  readonly #leases = new Map<string, Lease>();
  /** The lease that a budget had last. A caller that passes the same object again needs no key. */
  #lastOf = new WeakMap<Budget, Lease>();
  #freed: PromiseWithResolvers<void> | undefined;

  constructor(authority: Authority, nowMs: () => number, nextNumber: () => bigint) {
    this.batcher = new LeaseBatcher(authority, nowMs);
    this.#nextNumber = nextNumber;
  }

  lease(budget: Budget, at: Date): Lease {
    const last = this.#lastOf.get(budget);
    const lease = last?.isAt(at) ? last : this.#found(budget, at);
    if (lease !== last) this.#lastOf.set(budget, lease);
    lease.update(budget);
    return lease;
  }

  #found(budget: Budget, at: Date): Lease {
    const key = budgetKey(budget, at);
    const known = this.#leases.get(key);
    if (known) return known;
    const lease = new Lease(this.#nextNumber(), budget, at);
    this.#leases.set(key, lease);
    return lease;
  }

  /** Resolves when the next hold of the account ends. */
  get freed(): Promise<void> {
    this.#freed ??= Promise.withResolvers<void>();
    return this.#freed.promise;
  }

  /** A hold has ended. */
  wake(): void {
    const freed = this.#freed;
    this.#freed = undefined;
    freed?.resolve();
  }

  get all(): Iterable<Lease> {
    return this.#leases.values();
  }

  get size(): number {
    return this.#leases.size;
  }

  /** The next request of its budget has another lease. */
  forget(lease: Lease): void {
    this.#leases.delete(budgetKey(lease.budget, lease.window.start));
    this.#lastOf = new WeakMap();
  }
}
