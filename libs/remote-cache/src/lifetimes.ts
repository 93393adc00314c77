/** Milliseconds for which an answer is used without another call, and after which it is refreshed beside that use. */
interface Lifetime {
  readonly freshMs: number;
  readonly refreshMs: number;
  /** Spreads refreshes: each key waits a further part of this. */
  readonly spreadMs: number;
}

/** Holds while each change is received. */
const subscribed: Lifetime = { freshMs: 60_000, refreshMs: 30_000, spreadMs: 20_000 };
/** Holds while changes may be lost: a revoked key lives no longer than this. */
const unsubscribed: Lifetime = { freshMs: 5_000, refreshMs: 2_500, spreadMs: 0 };

/** An answer that was not used for so long is dropped. */
export const idleMsMax = subscribed.freshMs;
/** An answer that says that there is nothing is used for so long. */
export const absentMsMax = unsubscribed.freshMs;
export const lastKnownMsDefault = 3_600_000;

/** Decides by the moments of changes how long answers are used. */
export class Lifetimes {
  readonly #unsubscribedMs: () => number;
  readonly #lastKnownMsMax: number;
  /** Each change since then was received. */
  subscribedFromMs = Infinity;

  constructor(unsubscribedMs: () => number, lastKnownMsMax = lastKnownMsDefault) {
    this.#unsubscribedMs = unsubscribedMs;
    this.#lastKnownMsMax = lastKnownMsMax;
  }

  /** Returns undefined for an answer that is too old to use without another call. */
  useOf(key: string, atMs: number, ageMs: number): 'fresh' | 'aging' | undefined {
    const isSubscribed = this.#isSubscribed(atMs);
    const { freshMs } = isSubscribed ? subscribed : unsubscribed;
    if (ageMs < 0 || ageMs >= freshMs) return undefined;
    // Changes may be about to be missed: the answer must be new enough then.
    const isLate = !isSubscribed || this.#unsubscribedMs() >= unsubscribed.refreshMs;
    const { refreshMs, spreadMs } = isLate ? unsubscribed : subscribed;
    if (ageMs < refreshMs) return 'fresh';
    return ageMs < refreshMs + spreadMs * shareOf(key) ? 'fresh' : 'aging';
  }

  /** True if the answer may be used while there is no newer one. */
  isLastKnown(atMs: number, ageMs: number): boolean {
    const msMax = this.#isSubscribed(atMs) ? this.#lastKnownMsMax : unsubscribed.freshMs;
    return ageMs >= 0 && ageMs < msMax;
  }

  #isSubscribed(atMs: number): boolean {
    return atMs >= this.subscribedFromMs && this.#unsubscribedMs() < unsubscribed.freshMs;
  }
}

/** Maps a text to a number from 0 to below 1. */
function shareOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++)
    sum = (sum * 31 + text.charCodeAt(index)) % 1_000;
  return sum / 1_000;
}
