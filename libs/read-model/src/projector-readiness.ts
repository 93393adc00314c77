import type { WatchedEventStore } from './same-log/watched-event-store.ts';

/** Tells the state of a projector, as its service reports it. */
export class ProjectorReadiness {
  readonly #projection: string;
  readonly #eventStore: Partial<Pick<WatchedEventStore, 'degradation'>>;
  caughtUpOnce = false;
  /** There are rows of an earlier time. */
  begun = false;
  /** True for a reaction that retries. No query reads its rows, so its service stays ready. */
  tries = false;
  /** Completes "projection NAME": it goes on no more. */
  failure: string | undefined;

  constructor(projection: string, eventStore: Partial<Pick<WatchedEventStore, 'degradation'>>) {
    this.#projection = projection;
    this.#eventStore = eventStore;
  }

  unreadiness(): readonly string[] {
    return this.#isHeldUp() ? [] : this.#reasons();
  }

  degradation(): readonly string[] {
    return this.#isHeldUp() ? this.#reasons() : [];
  }

  /** Waiting for it to catch up would be in vain. */
  #isHeldUp(): boolean {
    if (this.failure !== undefined || this.tries) return true;
    return this.begun && (this.#eventStore.degradation?.() ?? []).length > 0;
  }

  #reasons(): readonly string[] {
    if (this.failure !== undefined) return [`projection ${this.#projection} ${this.failure}`];
    return this.caughtUpOnce ? [] : [`projection ${this.#projection} is catching up`];
  }
}
