import { type Bundle, cutBundle, lostBundle, type Waiting } from './bundle.ts';
import { Queue } from './queue.ts';

/**
 * Holds the final facts that are on the local disk and not confirmed by the ledger. Within an epoch they are in
 * order, and its watermark only rises.
 */
export class Outbox {
  readonly #waiting = new Map<bigint, Queue<Waiting>>();
  readonly #watermarks = new Map<bigint, bigint>();
  #size = 0;
  #countedTotal = 0;
  /** Facts in no bundle yet, by account. The next account is the first. */
  readonly #uncut = new Map<string, Queue<Waiting>>();
  /** Bundles to send again, before all new ones. */
  #again: Queue<Bundle> = new Queue();
  #bell = Promise.withResolvers<void>();

  /** Returns false for facts that the ledger has counted. */
  add(waiting: Waiting): void {
    if (this.#isCounted(waiting)) return;
    const { epoch, accountId } = waiting;
    let ofEpoch = this.#waiting.get(epoch);
    if (!ofEpoch) this.#waiting.set(epoch, (ofEpoch = new Queue()));
    ofEpoch.push(waiting);
    this.#size += waiting.count;
    let ofAccount = this.#uncut.get(accountId);
    if (!ofAccount) this.#uncut.set(accountId, (ofAccount = new Queue()));
    ofAccount.push(waiting);
    this.#bell.resolve();
  }

  /** Confirms that the ledger has counted an epoch up to a sequence. */
  counted(epoch: bigint, sequence: bigint): void {
    if (sequence <= (this.#watermarks.get(epoch) ?? 0n)) return;
    this.#watermarks.set(epoch, sequence);
    const ofEpoch = this.#waiting.get(epoch);
    if (!ofEpoch) return;
    for (let { first } = ofEpoch; first && first.sequence <= sequence; { first } = ofEpoch) {
      ofEpoch.shift();
      this.#size -= first.count;
      this.#countedTotal += first.count;
    }
    if (!ofEpoch.first) this.#waiting.delete(epoch);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of facts that the ledger has counted while they were here. */
  get countedTotal(): number {
    return this.#countedTotal;
  }

  /** Returns true if a fact waits that a lease of an earlier epoch paid for. */
  waitsForLeasesBefore(epoch: bigint): boolean {
    for (const ofEpoch of this.#waiting.values())
      for (const { leaseEpoch } of ofEpoch.all()) if (leaseEpoch < epoch) return true;
    return false;
  }

  /** The epochs of the waiting facts. */
  get epochs(): readonly bigint[] {
    return [...this.#waiting.keys()];
  }

  /** The first pending fact of the oldest epoch. */
  get oldest(): Waiting | undefined {
    const [ofEpoch] = this.#waiting.values();
    return ofEpoch?.first;
  }

  get hasUnpublished(): boolean {
    return this.#again.first !== undefined || this.#uncut.size > 0;
  }

  /** The end of the oldest unpublished generation in Unix milliseconds. undefined if all are published. */
  get oldestUnpublishedMs(): number | undefined {
    const firsts = [this.#again.first?.facts[0]];
    for (const ofAccount of this.#uncut.values()) firsts.push(ofAccount.first);
    let oldestMs: number | undefined;
    for (const first of firsts)
      if (first && (oldestMs === undefined || first.completedAtMs < oldestMs))
        oldestMs = first.completedAtMs;
    return oldestMs;
  }

  /** The lowest place in the spool that is still needed. undefined if there is none. */
  get oldestSpoolSequence(): bigint | undefined {
    let oldest: bigint | undefined;
    for (const { first } of this.#waiting.values())
      if (first && (oldest === undefined || first.spoolSequence < oldest))
        oldest = first.spoolSequence;
    return oldest;
  }

  /**
   * Takes the next bundles. The caller publishes each one or puts it back. Accounts take turns, each with all its facts
   * in order, so bundles grow when the bus is slow.
   */
  take(bundlesMax: number, bytesMax: number): readonly Bundle[] {
    const taken: Bundle[] = [];
    for (let bytes = 0; taken.length < bundlesMax && bytes < bytesMax;) {
      const bundle = this.#again.shift() ?? this.#cut();
      if (!bundle) break;
      if (!bundle.facts.some(this.#isWanted)) continue;
      taken.push(bundle);
      bytes += bundle.bytes;
    }
    return taken;
  }

  putBack(bundles: readonly Bundle[]): void {
    if (bundles.length === 0) return;
    this.#again = Queue.of([...bundles, ...this.#again.all()]);
  }

  /** Returns unconfirmed bundles that the broker was last known to have before an instant, oldest first. */
  lastKnownBefore(instantMs: number, bundlesMax: number): readonly Bundle[] {
    const found = new Set<Bundle>();
    for (const ofEpoch of this.#waiting.values())
      for (const { bundle } of ofEpoch.all()) {
        if (found.size === bundlesMax) return [...found];
        if (bundle?.stored && bundle.stored.knownAtMs < instantMs) found.add(bundle);
      }
    return [...found];
  }

  /** Sends the unconfirmed facts of lost bundles again, whose JSON was read again. Returns their number. */
  sendAgain(lost: readonly Bundle[]): number {
    const again = lost.map(lostBundle).filter((bundle) => bundle !== undefined);
    let count = 0;
    for (const { facts } of again)
      for (const waiting of facts) if (this.#isWanted(waiting)) count += waiting.count;
    this.putBack(again);
    if (count > 0) this.#bell.resolve();
    return count;
  }

  /** Resolves when a fact was added since the last call, or when the signal aborts. */
  async rung(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#bell.promise, promise]);
    signal.removeEventListener('abort', onAbort);
    this.#bell = Promise.withResolvers<void>();
  }

  #cut(): Bundle | undefined {
    for (const [accountId, queue] of this.#uncut) {
      const bundle = cutBundle(accountId, queue, this.#isWanted);
      this.#uncut.delete(accountId);
      if (queue.first) this.#uncut.set(accountId, queue);
      if (bundle) return bundle;
    }
    return undefined;
  }

  readonly #isWanted = (waiting: Waiting): boolean => !this.#isCounted(waiting);

  #isCounted({ epoch, sequence }: Waiting): boolean {
    return sequence <= (this.#watermarks.get(epoch) ?? 0n);
  }
}
