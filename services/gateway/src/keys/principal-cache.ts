import { type Clock, steadyMsOf } from '@sluice/clock-and-ids';
import { createRemoteCache, type RemoteCache } from '@sluice/remote-cache';
import { type KeyNotice, KeyNotices } from './key-notices.ts';
import type { KeyCaller } from '../caller/key-caller.ts';

export interface PresentedKey {
  readonly hash: string;
  readonly secret: string;
}

export interface PrincipalCacheDependencies {
  /** Returns undefined for an unknown key. Throws while no answer of at least that revision is available. */
  readonly resolve: (
    presented: PresentedKey & { readonly atLeastRevision?: bigint | undefined },
  ) => Promise<KeyCaller | undefined>;
  /** Milliseconds since the last moment up to which all changes of keys have arrived. */
  readonly unsubscribedMs: () => number;
  readonly clock: Clock;
  /** Bounds the age of the last answer that is used while there is no newer one. */
  readonly lastKnownMsMax?: number;
}

/** Caches keys, so that a request needs no call. Bounded in number and age. */
export interface PrincipalCache {
  /** Returns a key that needs no wait. Refreshes an old one in the background. */
  known(presented: PresentedKey): KeyCaller | undefined;
  /** Returns undefined for an unknown or revoked key. Throws the fault of the call that it had to make. */
  find(presented: PresentedKey): Promise<KeyCaller | undefined>;
  /** True if the cache holds the key, however old the answer is. */
  hasMet(hash: string): boolean;
  /** Refreshes the key at its next use. An answer that is on its way does not count. A revocation is final. */
  changed(notice: KeyNotice): void;
  /** Marks the time before which notices may be lost. Older entries may miss a change. */
  subscribedAnew(): void;
  readonly size: number;
}

const revokedMsMax = 5_000;

export function createPrincipalCache(dependencies: PrincipalCacheDependencies): PrincipalCache {
  return new CachedKeys(dependencies);
}

/** Adds the revisions of notices to the cache: a revocation is final until an answer of a later revision. */
class CachedKeys implements PrincipalCache {
  readonly #cache: RemoteCache<PresentedKey, KeyCaller | undefined>;
  readonly #notices = new KeyNotices((hash) => this.#cache.forget(hash));
  readonly #nowMs: () => number;

  constructor({ resolve, clock, unsubscribedMs, lastKnownMsMax }: PrincipalCacheDependencies) {
    const steadyMs = steadyMsOf(clock);
    const bornMs = steadyMs();
    this.#nowMs = () => steadyMs() - bornMs;
    this.#cache = createRemoteCache({
      ask: ({ hash, secret }) =>
        resolve({ hash, secret, atLeastRevision: this.#notices.get(hash)?.revision }),
      groupOf: ({ hash }) => hash,
      isNone: (key) => key === undefined,
      onAnswer: ({ hash }) => this.#notices.settle(hash),
      throwsRefusals: true,
      nowMs: this.#nowMs,
      unsubscribedMs,
      lastKnownMsMax,
    });
    this.#cache.subscribedAnew();
  }

  get size(): number {
    return this.#cache.size;
  }

  known(presented: PresentedKey): KeyCaller | undefined {
    if (this.#notices.get(presented.hash)?.wasRevoked) return undefined;
    return this.#cache.peek(presented);
  }

  async find(presented: PresentedKey): Promise<KeyCaller | undefined> {
    const { hash } = presented;
    if (this.#isRevoked(hash)) return undefined;
    try {
      const found = await this.#cache.find(presented);
      // A revocation may have arrived while the call was on its way.
      return this.#notices.get(hash)?.isRevoked ? undefined : found;
    } catch (error) {
      if (this.#notices.get(hash)?.isRevoked) return undefined;
      throw error;
    }
  }

  hasMet(hash: string): boolean {
    return this.#last(hash) !== undefined;
  }

  changed(notice: KeyNotice): void {
    const { hash, revision } = notice;
    const known = this.#last(hash);
    // The notice is late, or a restored log sent it. The next answer decides.
    const isOld = known && revision !== undefined && known.revision >= Number(revision);
    const received = isOld ? { hash, isRevoked: false } : notice;
    const isNews = this.#notices.add(received, this.#nowMs());
    if (isNews && received.isRevoked) this.#cache.forget(hash);
    else this.#cache.changed(hash);
  }

  subscribedAnew(): void {
    this.#cache.subscribedAnew();
  }

  #last(hash: string): KeyCaller | undefined {
    return this.#cache.last({ hash, secret: '' });
  }

  /** True for a few seconds after the notice of a revocation: the key is refused without a call. */
  #isRevoked(hash: string): boolean {
    const notice = this.#notices.get(hash);
    if (!notice?.isRevoked) return false;
    return this.#nowMs() - notice.receivedAtMs < revokedMsMax;
  }
}
