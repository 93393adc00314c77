import type { StreamEntry } from './event-index.ts';
import type { StreamMetadata } from './stream-metadata.ts';

interface Waiter {
  readonly ordinal: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface MetadataChange {
  readonly ordinal: number;
  readonly stream: StreamEntry;
  readonly metadata: StreamMetadata;
}

/** Callers that wait for events that are queued but not yet durable. */
export class PendingWrites {
  #waiters: Waiter[] = [];
  #metadataChanges: MetadataChange[] = [];

  /** Resolves when the event with this ordinal is durable. */
  async wait(ordinal: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.push({ ordinal, resolve, reject });
    await promise;
  }

  /** Writers go by it at once, readers when it is durable. */
  changeMetadata(change: MetadataChange): void {
    change.stream.metadata = change.metadata;
    this.#metadataChanges.push(change);
  }

  /** All ordinals below `count` are durable. */
  durable(count: number): void {
    const changes = this.#metadataChanges;
    this.#metadataChanges = changes.filter(({ ordinal }) => ordinal >= count);
    for (const { ordinal, stream, metadata } of changes)
      if (ordinal < count) stream.metadataVisible = metadata;
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ ordinal }) => ordinal >= count);
    for (const { ordinal, resolve } of waiters) if (ordinal < count) resolve();
  }

  /** Nothing that is pending will become durable. */
  reject(error: Error): void {
    for (const { stream } of this.#metadataChanges) stream.metadata = stream.metadataVisible;
    this.#metadataChanges = [];
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(error);
  }
}
