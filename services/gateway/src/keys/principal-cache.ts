import { Fault } from '@sluice/errors';
import { answerWithin, type Clock } from '@sluice/clock-and-ids';
import { type KeyNotice, KeyNotices, type PendingNotice } from './key-notices.ts';
import { RecentMap } from './recent-map.ts';
import type { ResolvedKey } from './resolved-key.ts';

export interface PresentedKey {
  readonly hash: string;
  readonly secret: string;
}

export interface PrincipalCacheDependencies {
  /** Returns undefined for an unknown key. Throws while no answer of at least that revision is available. */
  readonly resolve: (
    presented: PresentedKey & { readonly atLeastRevision?: bigint | undefined },
  ) => Promise<ResolvedKey | undefined>;
  /** Milliseconds since the last moment before which each change of a key was heard. */
  readonly deafMs: () => number;
  readonly clock: Clock;
  /** Bounds the age of the last answer that is used while there is no newer one. */
  readonly lastKnownMsMax?: number;
}

/** What the gateway knows of keys, so that a request needs no call. Bounded in number and age. */
export interface PrincipalCache {
  /** Returns a key that needs no wait. A key that is due is refreshed in the background. */
  known(presented: PresentedKey): ResolvedKey | undefined;
  /** Returns undefined for an unknown or revoked key. Throws the fault of the call that it had to make. */
  find(presented: PresentedKey): Promise<ResolvedKey | undefined>;
  /** True when the key was known lately, however old that knowledge is. */
  hasMet(hash: string): boolean;
  /** Refreshes the key at its next use. An answer that is on its way does not count. A revocation is final. */
  changed(notice: KeyNotice): void;
  /** Marks the time before which notices may be lost. Older entries may have missed a change. */
  hearing(): void;
  readonly size: number;
}

/** There was no such key. */
interface Unknown {
  readonly learntAtMs: number;
}

interface Resolving {
  readonly answer: Promise<ResolvedKey | undefined>;
}

const keysMax = 100_000;
const unknownKeysMax = 10_000;
const resolvingMax = 1_000;
/** Bounds background refreshes while calls fail: enough to notice the recovery. */
const awayResolvingMax = 16;
const failedMax = 10_000;
const failedPauseMs = 1_000;
const ageMsMax = 60_000;
/** Age in milliseconds at which background refreshes begin. Each key waits a further part of `spreadMs`. */
const youngMs = 30_000;
const spreadMs = 20_000;
/** How long a key is true after the last moment at which its revocation would have been heard. */
const deafAgeMsMax = 5_000;
/** Asked for anew from here on, so that the answer is there when it is needed. */
const deafYoungMs = 2_500;
const unknownAgeMsMax = 5_000;
/** Bounds the wait of a request for a new answer if the last known one may be used. */
const waitMsMax = 1_000;
/** How long a request without a last known key waits, until a question has failed. */
const firstWaitMsMax = 3_000;
const retryAfterSeconds = 1;
export const lastKnownMsDefault = 3_600_000;

export function createPrincipalCache(dependencies: PrincipalCacheDependencies): PrincipalCache {
  return new RememberedKeys(dependencies);
}

class RememberedKeys implements PrincipalCache {
  readonly #dependencies: PrincipalCacheDependencies;
  readonly #lastKnownMsMax: number;
  readonly #bornMs: number;
  readonly #known = new RecentMap<ResolvedKey>(keysMax);
  readonly #unknown = new RecentMap<Unknown>(unknownKeysMax);
  readonly #resolving = new Map<string, Resolving>();
  readonly #notices = new KeyNotices((hash) => this.#known.delete(hash));
  /** Holds the time of the last failed refresh of a key. */
  readonly #failedAtMs = new RecentMap<number>(failedMax);
  #heardFromMs = 0;
  /** True if the last call failed. */
  #isAway = false;

  constructor(dependencies: PrincipalCacheDependencies) {
    this.#dependencies = dependencies;
    this.#lastKnownMsMax = dependencies.lastKnownMsMax ?? lastKnownMsDefault;
    this.#bornMs = dependencies.clock.now().getTime();
  }

  get size(): number {
    return this.#known.size;
  }

  known(presented: PresentedKey): ResolvedKey | undefined {
    const key = this.#known.get(presented.hash);
    if (!key || this.#notices.get(presented.hash)?.wasRevoked) return undefined;
    const ageMs = this.#nowMs() - key.learntAtMs;
    if (this.#isFresh(key, ageMs)) {
      if (ageMs >= deafYoungMs && ageMs >= this.#dueMs(presented.hash)) this.#askBeside(presented);
      return key;
    }
    if (!this.#isAway || !this.#mayBeUsed(key)) return undefined;
    this.#askBeside(presented);
    return key;
  }

  async find(presented: PresentedKey): Promise<ResolvedKey | undefined> {
    const { hash } = presented;
    const key = this.known(presented);
    if (key) return key;
    const notice = this.#notices.get(hash);
    if (notice?.isRevoked && this.#isRecent(notice.heardAtMs, unknownAgeMsMax)) return undefined;
    const none = this.#known.has(hash) ? undefined : this.#unknown.get(hash);
    if (none && this.#isRecent(none.learntAtMs, unknownAgeMsMax)) return undefined;
    const answer = this.#resolving.get(hash)?.answer ?? this.#learn(presented, notice);
    const lastKnown = notice?.wasRevoked ? undefined : this.#known.get(hash);
    try {
      const found = await this.#answerOr(hash, lastKnown, answer);
      // A revocation may have arrived while the call was on its way.
      return this.#notices.get(hash)?.isRevoked ? undefined : found;
    } catch (error) {
      if (this.#notices.get(hash)?.isRevoked) return undefined;
      throw error;
    }
  }

  /**
   * Returns the answer, or the last known key if the call fails or takes too long. Throws unavailable without one:
   * soon if the source is known to be away, and always before the deadline of the caller.
   */
  async #answerOr(
    hash: string,
    lastKnown: ResolvedKey | undefined,
    answer: Promise<ResolvedKey | undefined>,
  ): Promise<ResolvedKey | undefined> {
    const isLeft = () =>
      lastKnown !== undefined &&
      this.#mayBeUsed(lastKnown) &&
      this.#notices.get(hash)?.wasRevoked !== true;
    const isSoon = this.#isAway || isLeft();
    try {
      const answered = await answerWithin(answer, isSoon ? waitMsMax : firstWaitMsMax);
      if (answered) return answered.answer;
      this.#failed(hash);
      throw new Fault('unavailable', { retryAfterSeconds });
    } catch (error) {
      if (isLeft()) return lastKnown;
      throw isRefusal(error)
        ? error
        : new Fault('unavailable', { retryAfterSeconds, cause: error });
    }
  }

  hasMet(hash: string): boolean {
    return this.#known.has(hash);
  }

  changed(notice: KeyNotice): void {
    const { hash, revision } = notice;
    const known = this.#known.get(hash);
    // The notice is late, or a restored log sent it. The next answer decides.
    const isOld = known && revision !== undefined && known.revision >= Number(revision);
    const heard = isOld ? { hash, isRevoked: false } : notice;
    this.#unknown.delete(hash);
    this.#resolving.delete(hash);
    if (this.#notices.add(heard, this.#nowMs()) && heard.isRevoked) this.#known.delete(hash);
  }

  hearing(): void {
    this.#heardFromMs = this.#nowMs();
    this.#unknown.clear();
    this.#resolving.clear();
  }

  /** Returns milliseconds since the start: small integers need no heap object. */
  #nowMs(): number {
    return this.#dependencies.clock.now().getTime() - this.#bornMs;
  }

  #isRecent(atMs: number, allowedMs: number): boolean {
    const ageMs = this.#nowMs() - atMs;
    return ageMs >= 0 && ageMs < allowedMs;
  }

  /** True if the key needs no call. */
  #isFresh({ principal, learntAtMs }: ResolvedKey, ageMs: number): boolean {
    if (ageMs < 0 || this.#notices.get(principal.keyHash)) return false;
    return ageMs < (this.#isHeard(learntAtMs) ? ageMsMax : deafAgeMsMax);
  }

  /** True when a revocation until a moment ago was heard. */
  #isHeard(learntAtMs: number): boolean {
    return learntAtMs >= this.#heardFromMs && this.#dependencies.deafMs() < deafAgeMsMax;
  }

  /** True if a revocation since the answer would have been received. */
  #mayBeUsed({ learntAtMs }: ResolvedKey): boolean {
    return this.#isRecent(
      learntAtMs,
      this.#isHeard(learntAtMs) ? this.#lastKnownMsMax : deafAgeMsMax,
    );
  }

  /** Spreads the refreshes of keys that were cached together. */
  #dueMs(hash: string): number {
    if (this.#dependencies.deafMs() >= deafYoungMs) return deafYoungMs;
    const share = ((hash.charCodeAt(0) * 31 + hash.charCodeAt(1)) % 64) / 64;
    return youngMs + share * spreadMs;
  }

  #askBeside(presented: PresentedKey): void {
    const { hash } = presented;
    const { size } = this.#resolving;
    if (this.#resolving.has(hash) || size >= (this.#isAway ? awayResolvingMax : resolvingMax))
      return;
    const failedAtMs = this.#failedAtMs.get(hash);
    if (failedAtMs !== undefined && this.#isRecent(failedAtMs, failedPauseMs)) return;
    this.#learn(presented, this.#notices.get(hash)).catch(() => {});
  }

  async #learn(
    presented: PresentedKey,
    notice: PendingNotice | undefined,
  ): Promise<ResolvedKey | undefined> {
    if (this.#resolving.size >= resolvingMax) throw new Fault('unavailable', { retryAfterSeconds });
    const { hash, secret } = presented;
    const learntAtMs = this.#nowMs();
    const atLeastRevision = notice?.revision;
    const answer = this.#dependencies.resolve(
      atLeastRevision === undefined ? { hash, secret } : { hash, secret, atLeastRevision },
    );
    const started: Resolving = { answer };
    this.#resolving.set(hash, started);
    try {
      const key = await answer;
      this.#isAway = false;
      this.#failedAtMs.delete(hash);
      if (this.#resolving.get(hash) === started) this.#keep(hash, key, learntAtMs);
      return key;
    } catch (error) {
      this.#failed(hash);
      throw error;
    } finally {
      if (this.#resolving.get(hash) === started) this.#resolving.delete(hash);
    }
  }

  #keep(hash: string, key: ResolvedKey | undefined, learntAtMs: number): void {
    this.#notices.settle(hash);
    if (key) {
      key.learntAtMs = learntAtMs;
      this.#unknown.delete(hash);
      this.#known.set(hash, key);
    } else {
      this.#known.delete(hash);
      this.#unknown.set(hash, { learntAtMs });
    }
  }

  #failed(hash: string): void {
    this.#isAway = true;
    this.#failedAtMs.set(hash, this.#nowMs());
  }
}

/** True of an answer that says no: asking again changes nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof Fault && !error.retryable;
}
