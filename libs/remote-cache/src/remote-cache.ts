import { Fault } from '@sluice/errors';
import { answerWithin } from '@sluice/clock-and-ids';

/** A question about one account. */
export interface Question {
  readonly accountId: string;
}

/** Caches answers, so that a request needs no call. Bounded in number and age. */
export interface RemoteCache<Asked extends Question, Answer> {
  /**
   * Returns a cached answer at once, and refreshes an old one in the background. Throws unavailable if a call is
   * needed and fails.
   */
  find(question: Asked): Answer | Promise<Answer>;
  /** Refreshes the account at its next use. An answer that is on its way does not count. */
  changed(accountId: string): void;
  /** Drops all answers of the account. */
  forget(accountId: string): void;
  /** Changes were missed for good: what was learnt before may have changed unheard. */
  hearing(): void;
  /** Drops answers that are too old, or were not used for a minute. */
  sweep(): void;
  readonly size: number;
}

export interface RemoteCacheOptions<Asked extends Question, Answer> {
  readonly ask: (question: Asked) => Promise<Answer>;
  /** One text per question of an account. */
  readonly nameOf: (question: Asked) => string;
  /** Milliseconds since the last moment before which each change was heard. */
  readonly deafMs: () => number;
  readonly nowMs: () => number;
  readonly entriesMax?: number;
  /** Bounds the age of the last answer that is used while there is no newer one. */
  readonly lastKnownMsMax?: number | undefined;
}

interface Learnt<Answer> {
  readonly answer: Answer;
  readonly accountId: string;
  /** When it was asked for, not when the answer came. */
  readonly atMs: number;
  /** The age of the first refresh. It differs by entry, so that refreshes are spread. */
  readonly youngMs: number;
  usedAtMs: number;
  failedAtMs: number;
  /** True if the account changed since this answer. */
  isStale: boolean;
}

const entriesMaxDefault = 100_000;
const askingMax = 1_000;
/** Bounds background refreshes while calls fail: enough to notice the recovery. */
const awayAskingMax = 16;
/** How long it is true without a question while changes are heard. */
const heardMsMax = 60_000;
/** How long it is true after the last moment at which it would have been heard to change. */
const unheardMsMax = 5_000;
/** Asked for anew from here on, so that the answer is there when it is needed. */
const unheardYoungMs = 2_500;
/** Age in milliseconds at which background refreshes begin. Each entry waits a further part of `spreadMs`. */
const youngMs = 15_000;
const spreadMs = 15_000;
const idleMsMax = 60_000;
/** Pause after a failed refresh, while there is an older answer. */
const pauseMs = 500;
/** Bounds the wait of a request for a new answer if the last known one may be used. */
const waitMsMax = 1_000;
/** How long a request without a last known answer waits, until a question has failed. */
const firstWaitMsMax = 3_000;
export const lastKnownMsDefault = 3_600_000;
const retryAfterSeconds = 1;

export function createRemoteCache<Asked extends Question, Answer>(
  options: RemoteCacheOptions<Asked, Answer>,
): RemoteCache<Asked, Answer> {
  return new CachedAnswers(options);
}

class CachedAnswers<Asked extends Question, Answer> implements RemoteCache<Asked, Answer> {
  readonly #options: RemoteCacheOptions<Asked, Answer>;
  readonly #entriesMax: number;
  readonly #lastKnownMsMax: number;
  /** Sorted by last use, oldest first. */
  readonly #learnt = new Map<string, Learnt<Answer>>();
  readonly #ofAccount = new Map<string, Set<string>>();
  readonly #asking = new Map<string, Promise<Answer>>();
  /** Caches the key of a question object: callers mostly pass the same object. */
  readonly #keys = new WeakMap<Asked, string>();
  #heardFromMs = Infinity;
  /** True if the last call failed. */
  #isAway = false;

  constructor(options: RemoteCacheOptions<Asked, Answer>) {
    this.#options = options;
    this.#entriesMax = options.entriesMax ?? entriesMaxDefault;
    this.#lastKnownMsMax = options.lastKnownMsMax ?? lastKnownMsDefault;
  }

  find(question: Asked): Answer | Promise<Answer> {
    const key = this.#keyOf(question);
    const known = this.#learnt.get(key);
    if (!known) return this.#answer(key, question);
    const nowMs = this.#options.nowMs();
    known.usedAtMs = nowMs;
    // The order of use matters only once the map is half full. Entries in use move on with each refresh anyway.
    if (this.#learnt.size * 2 > this.#entriesMax) this.#use(key, known);
    const ageMs = nowMs - known.atMs;
    const isHeard = this.#isHeard(known);
    if (!known.isStale && ageMs >= 0 && ageMs < (isHeard ? heardMsMax : unheardMsMax)) {
      if (ageMs >= (isHeard ? this.#youngMs(known) : unheardYoungMs))
        this.#refresh(key, question, known);
      return known.answer;
    }
    if (!this.#mayBeUsed(known)) return this.#answer(key, question);
    if (!this.#isAway) return this.#askOrUse(key, question, known);
    this.#refresh(key, question, known);
    return known.answer;
  }

  changed(accountId: string): void {
    this.#dropAsking(accountId);
    for (const key of this.#ofAccount.get(accountId) ?? []) {
      const learnt = this.#learnt.get(key);
      if (learnt) learnt.isStale = true;
    }
  }

  forget(accountId: string): void {
    this.#dropAsking(accountId);
    for (const key of this.#ofAccount.get(accountId) ?? []) this.#learnt.delete(key);
    this.#ofAccount.delete(accountId);
  }

  hearing(): void {
    this.#heardFromMs = this.#options.nowMs();
  }

  sweep(): void {
    const nowMs = this.#options.nowMs();
    for (const [key, learnt] of this.#learnt) {
      const isUsed = nowMs - learnt.usedAtMs < idleMsMax;
      if (!isUsed || !this.#mayBeUsed(learnt)) this.#drop(key, learnt.accountId);
    }
  }

  get size(): number {
    return this.#learnt.size;
  }

  /** True when each change of it until a moment ago was heard. */
  #isHeard({ atMs }: Learnt<Answer>): boolean {
    return atMs >= this.#heardFromMs && this.#options.deafMs() < unheardMsMax;
  }

  #youngMs(known: Learnt<Answer>): number {
    return this.#options.deafMs() < unheardYoungMs ? known.youngMs : unheardYoungMs;
  }

  /** True if the answer may be used while there is no newer one. */
  #mayBeUsed(learnt: Learnt<Answer>): boolean {
    const ageMs = this.#options.nowMs() - learnt.atMs;
    return ageMs >= 0 && ageMs < (this.#isHeard(learnt) ? this.#lastKnownMsMax : unheardMsMax);
  }

  /** Asks again in the background. */
  #refresh(key: string, question: Asked, known: Learnt<Answer>): void {
    const { size } = this.#asking;
    if (this.#asking.has(key) || size >= (this.#isAway ? awayAskingMax : askingMax)) return;
    if (Math.abs(this.#options.nowMs() - known.failedAtMs) < pauseMs) return;
    this.#ask(key, question).catch(() => {});
  }

  /** Throws unavailable soon where the source is known to be away, and well before the caller's own deadline. */
  async #answer(key: string, question: Asked): Promise<Answer> {
    const asking = this.#asking.get(key) ?? this.#ask(key, question);
    const answered = await answerWithin(asking, this.#isAway ? waitMsMax : firstWaitMsMax);
    if (answered) return answered.answer;
    this.#failed(key);
    throw new Fault('unavailable', { retryAfterSeconds });
  }

  async #askOrUse(key: string, question: Asked, known: Learnt<Answer>): Promise<Answer> {
    const asking = this.#asking.get(key) ?? this.#ask(key, question);
    // A refusal drops the entry, and so does a revocation.
    const isLeft = () => this.#learnt.get(key) === known && this.#mayBeUsed(known);
    try {
      const answered = await answerWithin(asking, waitMsMax);
      if (answered) return answered.answer;
      this.#failed(key);
      if (isLeft()) return known.answer;
      throw new Fault('unavailable', { retryAfterSeconds });
    } catch (error) {
      if (isLeft()) return known.answer;
      throw error;
    }
  }

  async #ask(key: string, question: Asked): Promise<Answer> {
    if (this.#asking.size >= askingMax) throw new Fault('unavailable', { retryAfterSeconds });
    const { accountId } = question;
    const atMs = this.#options.nowMs();
    const asked = this.#options.ask(question);
    this.#asking.set(key, asked);
    const isCurrent = () => this.#asking.get(key) === asked;
    try {
      const answer = await asked;
      this.#isAway = false;
      if (isCurrent()) this.#learn(key, { answer, accountId, atMs });
      return answer;
    } catch (cause) {
      if (!isAnswer(cause)) this.#failed(key);
      else if (isCurrent()) this.#drop(key, accountId);
      throw new Fault('unavailable', { retryAfterSeconds, cause });
    } finally {
      if (isCurrent()) this.#asking.delete(key);
    }
  }

  #failed(key: string): void {
    this.#isAway = true;
    const known = this.#learnt.get(key);
    if (known) known.failedAtMs = this.#options.nowMs();
  }

  #learn(
    key: string,
    { answer, accountId, atMs }: Pick<Learnt<Answer>, 'answer' | 'accountId' | 'atMs'>,
  ): void {
    this.#use(key, {
      answer,
      accountId,
      atMs,
      youngMs: youngMs + spreadMs * shareOf(key),
      usedAtMs: atMs,
      failedAtMs: -Infinity,
      isStale: false,
    });
    const keys = this.#ofAccount.get(accountId) ?? new Set();
    this.#ofAccount.set(accountId, keys.add(key));
    for (const [oldest, { accountId: account }] of this.#learnt) {
      if (this.#learnt.size <= this.#entriesMax) return;
      this.#drop(oldest, account);
    }
  }

  #drop(key: string, accountId: string): void {
    this.#learnt.delete(key);
    const left = this.#ofAccount.get(accountId);
    left?.delete(key);
    if (left?.size === 0) this.#ofAccount.delete(accountId);
  }

  #dropAsking(accountId: string): void {
    const prefix = `${accountId}\0`;
    for (const key of this.#asking.keys()) if (key.startsWith(prefix)) this.#asking.delete(key);
  }

  #use(key: string, learnt: Learnt<Answer>): void {
    this.#learnt.delete(key);
    this.#learnt.set(key, learnt);
  }

  #keyOf(question: Asked): string {
    const known = this.#keys.get(question);
    if (known !== undefined) return known;
    const key = `${question.accountId}\0${this.#options.nameOf(question)}`;
    this.#keys.set(question, key);
    return key;
  }
}

/** True for a refusal, which a second call would not change. */
function isAnswer(error: unknown): boolean {
  return error instanceof Fault && !error.retryable;
}

/** Maps a text to a number from 0 to below 1. */
function shareOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++)
    sum = (sum * 31 + text.charCodeAt(index)) % 1_000;
  return sum / 1_000;
}
