import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';

/** A final fact that the ledger has not told to have counted. */
export interface Waiting extends Pick<
  UsageRecorded,
  'usageId' | 'accountId' | 'epoch' | 'sequence' | 'leaseEpoch'
> {
  /** Unix milliseconds. */
  readonly completedAtMs: number;
  /** All of it: its JSON. */
  readonly json: Uint8Array;
  /** Where it lies in the spool. */
  readonly spoolSequence: bigint;
  /** Milliseconds of the monotonic clock; undefined: not published yet, or not trusted any more. */
  publishedAtMs: number | undefined;
}

/**
 * The finals that are on disk here and not yet known to be in the ledger. Within an epoch they are in
 * order, and its watermark only ever rises.
 */
export class Outbox {
  readonly #waiting = new Map<bigint, Queue<Waiting>>();
  readonly #watermarks = new Map<bigint, bigint>();
  #size = 0;
  #toPublish: Queue<Waiting> = new Queue();
  #bell = Promise.withResolvers<void>();

  /** What the ledger is known to have counted does not wait. */
  add(waiting: Waiting): void {
    if (this.#isCounted(waiting)) return;
    const { epoch } = waiting;
    let ofEpoch = this.#waiting.get(epoch);
    if (!ofEpoch) this.#waiting.set(epoch, (ofEpoch = new Queue()));
    ofEpoch.push(waiting);
    this.#size += 1;
    this.#toPublish.push(waiting);
    this.#bell.resolve();
  }

  /** The ledger has counted everything of an epoch up to a sequence. */
  counted(epoch: bigint, sequence: bigint): void {
    if (sequence <= (this.#watermarks.get(epoch) ?? 0n)) return;
    this.#watermarks.set(epoch, sequence);
    const ofEpoch = this.#waiting.get(epoch);
    if (!ofEpoch) return;
    for (let { first } = ofEpoch; first && first.sequence <= sequence; { first } = ofEpoch) {
      ofEpoch.shift();
      this.#size -= 1;
    }
    if (!ofEpoch.first) this.#waiting.delete(epoch);
  }

  get size(): number {
    return this.#size;
  }

  /** True: something waits that a lease of an earlier epoch paid for. */
  waitsForLeasesBefore(epoch: bigint): boolean {
    for (const ofEpoch of this.#waiting.values())
      for (const { leaseEpoch } of ofEpoch.all()) if (leaseEpoch < epoch) return true;
    return false;
  }

  /** The epochs that something waits of. */
  get epochs(): readonly bigint[] {
    return [...this.#waiting.keys()];
  }

  /** Of those that wait, the first one of the epoch that came first. */
  get oldest(): Waiting | undefined {
    const [ofEpoch] = this.#waiting.values();
    return ofEpoch?.first;
  }

  /** undefined: the bus has all. */
  get oldestUnpublished(): Waiting | undefined {
    return this.#toPublish.first;
  }

  /** The lowest place in the spool that is still needed; undefined: none is. */
  get oldestSpoolSequence(): bigint | undefined {
    let oldest: bigint | undefined;
    for (const { first } of this.#waiting.values())
      if (first && (oldest === undefined || first.spoolSequence < oldest))
        oldest = first.spoolSequence;
    return oldest;
  }

  /** The next ones to publish, in order: each is then either published or put back. */
  take(countMax: number): readonly Waiting[] {
    const taken: Waiting[] = [];
    while (taken.length < countMax) {
      const waiting = this.#toPublish.shift();
      if (!waiting) break;
      if (!this.#isCounted(waiting)) taken.push(waiting);
    }
    return taken;
  }

  putBack(waiting: readonly Waiting[]): void {
    if (waiting.length === 0) return;
    this.#toPublish = Queue.of([...waiting, ...this.#toPublish.all()]);
  }

  /** What was published before an instant and is not counted may be lost: it goes out again. */
  distrust(publishedBeforeMs: number): number {
    const lost: Waiting[] = [];
    for (const ofEpoch of this.#waiting.values())
      for (const waiting of ofEpoch.all())
        if (waiting.publishedAtMs !== undefined && waiting.publishedAtMs < publishedBeforeMs) {
          waiting.publishedAtMs = undefined;
          lost.push(waiting);
        }
    if (lost.length > 0) {
      this.putBack(lost);
      this.#bell.resolve();
    }
    return lost.length;
  }

  /** Resolves when something came since the last call, or with the signal. */
  async rung(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#bell.promise, promise]);
    signal.removeEventListener('abort', onAbort);
    this.#bell = Promise.withResolvers<void>();
  }

  #isCounted({ epoch, sequence }: Waiting): boolean {
    return sequence <= (this.#watermarks.get(epoch) ?? 0n);
  }
}

const compactAt = 1_024;

/** First in, first out, at constant cost. */
class Queue<Item> {
  #items: Item[] = [];
  #head = 0;

  static of<Item>(items: Item[]): Queue<Item> {
    const queue = new Queue<Item>();
    queue.#items = items;
    return queue;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    if (this.#head >= compactAt && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  all(): readonly Item[] {
    return this.#items.slice(this.#head);
  }
}
