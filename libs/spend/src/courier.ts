import type { Authority, LeaseRequest } from './authority.ts';
import { leasesPerCallMax } from './authority.ts';
import type { Lease } from './lease.ts';

/** What waits for an answer of the authority: per lease the sum of the holds. */
interface Errand {
  readonly waiting: Map<Lease, bigint>;
  readonly done: PromiseWithResolvers<void>;
}

/** An authority that failed is left alone for a moment. */
const pauseMs = 250;

/**
 * Asks for the leases of one account, one call at a time: what comes up meanwhile goes with the next
 * one, so that many requests at once are one question.
 */
export class Courier {
  readonly #authority: Authority;
  readonly #nowMs: () => number;
  #next: Errand | undefined;
  #isUnderWay = false;
  #failure: { readonly atMs: number; readonly error: unknown } | undefined;

  constructor(authority: Authority, nowMs: () => number) {
    this.#authority = authority;
    this.#nowMs = nowMs;
  }

  /** Resolves when the answers are in the leases. Throws what the authority threw. */
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
    for (let errand = this.#takeNext(); errand; errand = this.#takeNext())
      try {
        await deliver(this.#authority, [...errand.waiting], this.#nowMs, (lease, waiting) =>
          lease.request(waiting, this.#nowMs(), 'refill'),
        );
        this.#failure = undefined;
        for (const [lease, waiting] of errand.waiting) lease.promise(waiting);
        errand.done.resolve();
      } catch (error) {
        this.#failure = { atMs: this.#nowMs(), error };
        errand.done.reject(error);
      }
    this.#isUnderWay = false;
  }

  #takeNext(): Errand | undefined {
    const errand = this.#next;
    this.#next = undefined;
    return errand;
  }
}

/** Asks for leases, as many calls as that takes, and has each take its answer. */
export async function deliver<Extra>(
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
