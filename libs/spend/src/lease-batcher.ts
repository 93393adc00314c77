import type { Authority, LeaseRequest } from './authority.ts';
import { leasesPerCallMax } from './authority.ts';
import type { Lease } from './lease.ts';

/** The next question: for each lease the sum of the holds that wait. */
interface Batch {
  readonly waiting: Map<Lease, bigint>;
  readonly done: PromiseWithResolvers<void>;
}

/** The pause after a failed call. */
const pauseMs = 250;

/**
 * Asks for the leases of one account, one call at a time. What comes up during a call goes into the next batch, so that
 * many requests at once are one question.
 */
export class LeaseBatcher {
  readonly #authority: Authority;
  readonly #nowMs: () => number;
  #next: Batch | undefined;
  #isUnderWay = false;
  #failure: { readonly atMs: number; readonly error: unknown } | undefined;

  constructor(authority: Authority, nowMs: () => number) {
    this.#authority = authority;
    this.#nowMs = nowMs;
  }

  /** Resolves when the leases have their answers. Throws what the authority threw. */
  async ask(asked: readonly (readonly [Lease, bigint])[]): Promise<void> {
    const failure = this.#failure;
    const sinceMs = failure ? this.#nowMs() - failure.atMs : Infinity;
    if (failure && sinceMs >= 0 && sinceMs < pauseMs) throw failure.error;
    this.#next ??= { waiting: new Map(), done: Promise.withResolvers() };
    const { waiting, done } = this.#next;
    for (const [lease, amount] of asked) waiting.set(lease, (waiting.get(lease) ?? 0n) + amount);
    if (!this.#isUnderWay) void this.#run();
    await done.promise;
    for (const [lease, amount] of asked) lease.redeem(amount);
  }

  async #run(): Promise<void> {
    this.#isUnderWay = true;
    for (let batch = this.#takeNext(); batch; batch = this.#takeNext())
      try {
        await askAuthority(this.#authority, [...batch.waiting], this.#nowMs, (lease, waiting) =>
          lease.request(waiting, this.#nowMs(), 'refill'),
        );
        this.#failure = undefined;
        for (const [lease, waiting] of batch.waiting) lease.promise(waiting);
        batch.done.resolve();
      } catch (error) {
        this.#failure = { atMs: this.#nowMs(), error };
        batch.done.reject(error);
      }
    this.#isUnderWay = false;
  }

  #takeNext(): Batch | undefined {
    const batch = this.#next;
    this.#next = undefined;
    return batch;
  }
}

/** Asks for leases, in as many calls as that takes, and gives each its answer. Throws what the authority throws. */
export async function askAuthority<Extra>(
  authority: Authority,
  leases: readonly (readonly [Lease, Extra])[],
  nowMs: () => number,
  request: (lease: Lease, extra: Extra) => LeaseRequest,
): Promise<void> {
  for (let from = 0; from < leases.length; from += leasesPerCallMax) {
    const part = leases.slice(from, from + leasesPerCallMax);
    const requests = part.map(([lease, extra]) => request(lease, extra));
    const answer = await authority.acquire(requests).catch((error: unknown) => {
      for (const [lease] of part) lease.doubtGrant();
      throw error;
    });
    for (const [index, [lease]] of part.entries()) {
      const asked = requests[index];
      const answered = answer.leases[index];
      if (!asked || answered?.number !== lease.number) throw new Error('an answer is missing');
      lease.take(asked, answered, answer.replicas, nowMs());
    }
  }
}
