import { Fault } from '@sluice/errors';
import { answerWithin } from '@sluice/clock-and-ids';
import type { RemoteCache, RemoteCacheOptions } from './remote-cache.ts';

interface Learnt<Answer> {
  readonly answer: Answer;
  readonly group: string;
  /** When the question was sent, not when the answer came. */
  readonly atMs: number;
  usedAtMs: number;
  /** When the last refresh failed. */
  failedAtMs: number | undefined;
  /** True if the group changed since this answer. */
  isStale: boolean;
}

const entriesMaxDefault = 100_000;
const nonesMax = 10_000;
const askingMax = 1_000;
/** Bounds background refreshes while calls fail: enough to notice the recovery. */
const awayAskingMax = 16;
/** Lifetime of an answer while changes are received. */
const heardMsMax = 60_000;
/** Lifetime of an answer while changes may be lost, and of an answer that says that there is nothing. */
const unheardMsMax = 5_000;
/** Age at which background refreshes begin while changes may be lost. */
const unheardYoungMs = 2_500;
/** Age at which background refreshes begin. Each entry waits a further part of `spreadMs`. */
const youngMs = 30_000;
const spreadMs = 20_000;
const idleMsMax = 60_000;
/** Pause after a failed refresh, while there is an older answer. */
const pauseMs = 500;
/** Bounds the wait of a request for a new answer if the last known one may be used. */
const waitMsMax = 1_000;
/** How long a request without a last known answer waits, until a question has failed. */
const firstWaitMsMax = 3_000;
export const lastKnownMsDefault = 3_600_000;
const retryAfterSeconds = 1;

export function createRemoteCache<Asked extends object, Answer>(
  options: RemoteCacheOptions<Asked, Answer>,
): RemoteCache<Asked, Answer> {
  return new CachedAnswers(options);
}

class CachedAnswers<Asked extends object, Answer> implements RemoteCache<Asked, Answer> {
  readonly #options: RemoteCacheOptions<Asked, Answer>;
  readonly #entriesMax: number;
  readonly #lastKnownMsMax: number;
  /** Sorted by last use, oldest first. */
  readonly #learnt = new Map<string, Learnt<Answer>>();
  /** The keys of each group with several questions. */
  readonly #keysOfGroup = new Map<string, Set<string>>();
  readonly #nones = new Map<string, { readonly answer: Answer; readonly atMs: number }>();
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

  peek(question: Asked): Answer | undefined {
    const key = this.#keyOf(question);
    const known = this.#learnt.get(key);
    if (!known) return undefined;
    const nowMs = this.#options.nowMs();
    known.usedAtMs = nowMs;
    // The order of use matters only once the map is half full. Entries in use move on with each refresh anyway.
    if (this.#learnt.size * 2 > this.#entriesMax) this.#use(key, known);
    const ageMs = nowMs - known.atMs;
    const isHeard = this.#isHeard(known);
    if (!known.isStale && ageMs >= 0 && ageMs < (isHeard ? heardMsMax : unheardMsMax)) {
      if (ageMs >= (isHeard ? this.#youngMs(key, ageMs) : unheardYoungMs))
        this.#refresh(key, question, known);
      return known.answer;
    }
    if (!this.#isAway || !this.#mayBeUsed(known)) return undefined;
    this.#refresh(key, question, known);
    return known.answer;
  }

  find(question: Asked): Answer | Promise<Answer> {
    const answer = this.peek(question);
    if (answer !== undefined) return answer;
    const key = this.#keyOf(question);
    const known = this.#learnt.get(key);
    if (known && this.#mayBeUsed(known)) return this.#askOrUse(key, question, known);
    const none = known ? undefined : this.#nones.get(key);
    if (none && this.#isRecent(none.atMs, unheardMsMax)) return none.answer;
    return this.#answer(key, question);
  }

  last(question: Asked): Answer | undefined {
    return this.#learnt.get(this.#keyOf(question))?.answer;
  }

  changed(group: string): void {
    this.#dropPending(group);
    for (const key of this.#keysOf(group)) {
      const learnt = this.#learnt.get(key);
      if (learnt) learnt.isStale = true;
    }
  }

  forget(group: string): void {
    this.#dropPending(group);
    for (const key of this.#keysOf(group)) this.#learnt.delete(key);
    this.#keysOfGroup.delete(group);
  }

  hearing(): void {
    // Before the first call no answer depends on notices: pending answers live five seconds in any case.
    if (this.#heardFromMs !== Infinity) this.#asking.clear();
    this.#heardFromMs = this.#options.nowMs();
    this.#nones.clear();
  }

  sweep(): void {
    const nowMs = this.#options.nowMs();
    for (const [key, learnt] of this.#learnt) {
      const isUsed = nowMs - learnt.usedAtMs < idleMsMax;
      if (!isUsed || !this.#mayBeUsed(learnt)) this.#drop(key, learnt.group);
    }
  }

  get size(): number {
    return this.#learnt.size;
  }

  #isRecent(atMs: number, msMax: number): boolean {
    const ageMs = this.#options.nowMs() - atMs;
    return ageMs >= 0 && ageMs < msMax;
  }

  /** True if each change until a moment ago was received. */
  #isHeard({ atMs }: Learnt<Answer>): boolean {
    return atMs >= this.#heardFromMs && this.#options.deafMs() < unheardMsMax;
  }

  /** Returns the age of the first refresh. It differs by key, so that refreshes are spread. */
  #youngMs(key: string, ageMs: number): number {
    if (this.#options.deafMs() >= unheardYoungMs) return unheardYoungMs;
    return ageMs < youngMs ? youngMs : youngMs + spreadMs * shareOf(key);
  }

  /** True if the answer may be used while there is no newer one. */
  #mayBeUsed(learnt: Learnt<Answer>): boolean {
    return this.#isRecent(learnt.atMs, this.#isHeard(learnt) ? this.#lastKnownMsMax : unheardMsMax);
  }

  /** Asks again in the background. */
  #refresh(key: string, question: Asked, known: Learnt<Answer>): void {
    const { size } = this.#asking;
    if (this.#asking.has(key) || size >= (this.#isAway ? awayAskingMax : askingMax)) return;
    const { failedAtMs } = known;
    if (failedAtMs !== undefined && this.#isRecent(failedAtMs, pauseMs)) return;
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
    const atMs = this.#options.nowMs();
    const asked = this.#options.ask(question);
    this.#asking.set(key, asked);
    const isCurrent = () => this.#asking.get(key) === asked;
    try {
      const answer = await asked;
      this.#isAway = false;
      if (isCurrent()) this.#learn(key, question, { answer, atMs });
      return answer;
    } catch (cause) {
      if (!isRefusal(cause)) this.#failed(key);
      else if (isCurrent()) this.#drop(key, this.#options.groupOf(question));
      if (isRefusal(cause) && (this.#options.throwsRefusals || isSetAside(cause))) throw cause;
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

  #learn(key: string, question: Asked, got: Pick<Learnt<Answer>, 'answer' | 'atMs'>): void {
    const group = this.#options.groupOf(question);
    this.#options.onAnswer?.(question);
    this.#nones.delete(key);
    if (this.#options.isNone?.(got.answer)) {
      this.#drop(key, group);
      this.#nones.set(key, got);
      const [oldest] = this.#nones.keys();
      if (oldest !== undefined && this.#nones.size > nonesMax) this.#nones.delete(oldest);
      return;
    }
    this.#use(key, { ...got, group, usedAtMs: got.atMs, failedAtMs: undefined, isStale: false });
    if (this.#options.nameOf) {
      const keys = this.#keysOfGroup.get(group) ?? new Set();
      this.#keysOfGroup.set(group, keys.add(key));
    }
    for (const [oldest, { group: itsGroup }] of this.#learnt) {
      if (this.#learnt.size <= this.#entriesMax) return;
      this.#drop(oldest, itsGroup);
    }
  }

  #drop(key: string, group: string): void {
    this.#learnt.delete(key);
    const left = this.#keysOfGroup.get(group);
    left?.delete(key);
    if (left?.size === 0) this.#keysOfGroup.delete(group);
  }

  #keysOf(group: string): Iterable<string> {
    return this.#options.nameOf ? (this.#keysOfGroup.get(group) ?? []) : [group];
  }

  /** Forgets questions on their way, and answers that said that there is nothing. */
  #dropPending(group: string): void {
    if (!this.#options.nameOf) {
      this.#asking.delete(group);
      this.#nones.delete(group);
      return;
    }
    const prefix = `${group}\0`;
    for (const pending of [this.#asking, this.#nones])
      for (const key of pending.keys()) if (key.startsWith(prefix)) pending.delete(key);
  }

  #use(key: string, learnt: Learnt<Answer>): void {
    this.#learnt.delete(key);
    this.#learnt.set(key, learnt);
  }

  #keyOf(question: Asked): string {
    const { groupOf, nameOf } = this.#options;
    if (!nameOf) return groupOf(question);
    const known = this.#keys.get(question);
    if (known !== undefined) return known;
    const key = `${groupOf(question)}\0${nameOf(question)}`;
    this.#keys.set(question, key);
    return key;
  }
}

/** True for a refusal, which a second call would not change. */
function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && !error.retryable;
}

/** True if the answer is held back until an operator has acted. Its code tells so, for any question. */
function isSetAside(fault: Fault): boolean {
  return fault.code === 'stream_unreadable';
}

/** Maps a text to a number from 0 to below 1. */
function shareOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++)
    sum = (sum * 31 + text.charCodeAt(index)) % 1_000;
  return sum / 1_000;
}
