import type { Projection } from './projection.ts';
import type { WatchedEventStore } from './same-log/watched-event-store.ts';

/** Holds the state of a projector in the form that its service reports. */
export class ProjectorReadiness {
  readonly #projection: string;
  readonly #isReaction: boolean;
  readonly #eventStore: Partial<Pick<WatchedEventStore, 'degradation'>>;
  caughtUpOnce = false;
  /** There are rows of an earlier time. */
  begun = false;
  /** Completes "projection NAME": it goes on no more. */
  failure: string | undefined;
  /** Returns a reason for each stream that is set aside. A reason completes "projection NAME". */
  setAside: () => readonly string[] = () => [];

  constructor(
    { projection, tables }: Pick<Projection, 'projection' | 'tables'>,
    eventStore: Partial<Pick<WatchedEventStore, 'degradation'>>,
  ) {
    this.#projection = projection;
    this.#isReaction = tables.length === 0;
    this.#eventStore = eventStore;
  }

  unreadiness(): readonly string[] {
    return this.#isHeldUp() ? [] : this.#reasons();
  }

  degradation(): readonly string[] {
    const aside = this.setAside().map((reason) => `projection ${this.#projection} ${reason}`);
    return [...aside, ...(this.#isHeldUp() ? this.#reasons() : [])];
  }

  /** A start does not wait for it: to wait would be in vain, or no query reads its rows. */
  #isHeldUp(): boolean {
    if (this.failure !== undefined || this.#isReaction) return true;
    return this.begun && (this.#eventStore.degradation?.() ?? []).length > 0;
  }

  #reasons(): readonly string[] {
    if (this.failure !== undefined) return [`projection ${this.#projection} ${this.failure}`];
    return this.caughtUpOnce ? [] : [`projection ${this.#projection} is catching up`];
  }
}
