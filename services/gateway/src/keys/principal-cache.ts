import { Fault } from '@sluice/errors';
import { answerWithin, type Clock } from '@sluice/service';
import { type KeyNotice, KeyNotices, type PendingNotice } from './key-notices.ts';
import { RecentMap } from './recent-map.ts';
import type { ResolvedKey } from './resolved-key.ts';

export interface PresentedKey {
  readonly hash: string;
  readonly secret: string;
}

export interface PrincipalCacheDependencies {
  /** undefined: no such key. Throws while the answer as of that revision is not to be had. */
  readonly resolve: (
    presented: PresentedKey & { readonly atLeastRevision?: bigint | undefined },
  ) => Promise<ResolvedKey | undefined>;
  /** False while changes of keys cannot be heard. */
  readonly hearsChanges: () => boolean;
  readonly clock: Clock;
  /** How old the last answer may be that is used while there is no newer one. */
  readonly lastKnownMsMax?: number;
}

/** What the gateway knows of keys, so that a request needs no call. Bounded in number and age. */
export interface PrincipalCache {
  /** A key that need not be waited for; it is asked for anew beside the request when it is due. */
  known(presented: PresentedKey): ResolvedKey | undefined;
  /** undefined: no such key, or it is revoked. Throws the fault of the call that had to be made. */
  find(presented: PresentedKey): Promise<ResolvedKey | undefined>;
  /** True when the key was known lately, however old that knowledge is. */
  hasMet(hash: string): boolean;
  /** Has the key asked for anew. An answer on its way does not count. A revocation is final. */
  changed(notice: KeyNotice): void;
  /** Changes are heard from now on: what was learnt before may have changed unheard. */
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
/** Questions beside requests while answers fail: enough to notice that they come again. */
const awayResolvingMax = 16;
const failedMax = 10_000;
const failedPauseMs = 1_000;
const ageMsMax = 60_000;
/** From this age on a key is asked for anew beside requests; each key at another moment of the next part. */
const youngMs = 30_000;
const spreadMs = 20_000;
const deafAgeMsMax = 5_000;
const deafYoungMs = 2_500;
const unknownAgeMsMax = 5_000;
/** How long a request waits for the new answer where the last known one may be used. */
const waitMsMax = 1_000;
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
  /** When the question for a key failed last. */
  readonly #failedAtMs = new RecentMap<number>(failedMax);
  #heardFromMs = 0;
  /** The last question that ended has failed. */
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
      const found = lastKnown ? await this.#answerOr(lastKnown, answer) : await answer;
      // Heard while the answer was on its way, and not answered since.
      return this.#notices.get(hash)?.isRevoked ? undefined : found;
    } catch (error) {
      if (this.#notices.get(hash)?.isRevoked) return undefined;
      throw error;
    }
  }

  /** The last known one where the answer fails or takes too long, and it may be used. */
  async #answerOr(
    lastKnown: ResolvedKey,
    answer: Promise<ResolvedKey | undefined>,
  ): Promise<ResolvedKey | undefined> {
    const { keyHash } = lastKnown.principal;
    const isLeft = () =>
      this.#mayBeUsed(lastKnown) && this.#notices.get(keyHash)?.wasRevoked !== true;
    try {
      const answered = await answerWithin(answer, waitMsMax);
      if (answered) return answered.answer;
      this.#failed(keyHash);
      return isLeft() ? lastKnown : await answer;
    } catch (error) {
      if (isLeft()) return lastKnown;
      throw error;
    }
  }

  hasMet(hash: string): boolean {
    return this.#known.has(hash);
  }

  changed(notice: KeyNotice): void {
    const { hash, revision } = notice;
    const known = this.#known.get(hash);
    // Late, or of a log that was restored: the key is asked for anew, and the answer counts.
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

  /** A small number: it takes no memory of its own beside the key. */
  #nowMs(): number {
    return this.#dependencies.clock.now().getTime() - this.#bornMs;
  }

  #isRecent(atMs: number, allowedMs: number): boolean {
    const ageMs = this.#nowMs() - atMs;
    return ageMs >= 0 && ageMs < allowedMs;
  }

  /** True of what need not be asked for. */
  #isFresh({ principal, learntAtMs }: ResolvedKey, ageMs: number): boolean {
    if (ageMs < 0 || this.#notices.get(principal.keyHash)) return false;
    if (!this.#dependencies.hearsChanges()) return ageMs < deafAgeMsMax;
    return learntAtMs >= this.#heardFromMs && ageMs < ageMsMax;
  }

  /** True of what was true when it was learnt, and of which a revocation would have been heard since. */
  #mayBeUsed({ learntAtMs }: ResolvedKey): boolean {
    const isHeard = this.#dependencies.hearsChanges() && learntAtMs >= this.#heardFromMs;
    return this.#isRecent(learntAtMs, isHeard ? this.#lastKnownMsMax : deafAgeMsMax);
  }

  /** Keys that were learnt together are asked for at different times. */
  #dueMs(hash: string): number {
    if (!this.#dependencies.hearsChanges()) return deafYoungMs;
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
    if (this.#resolving.size >= resolvingMax)
      throw new Fault('unavailable', { retryAfterSeconds: 1 });
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
