import { Fault } from '@sluice/errors';
import { answerWithin } from '@sluice/clock-and-ids';
import { absentMsMax, idleMsMax, Lifetimes } from './lifetimes.ts';
import type { RemoteCache, RemoteCacheOptions } from './remote-cache.ts';

interface Cached<Answer> {
  readonly answer: Answer;
  readonly group: string;
  /** When the question was sent, not when the answer came. */
  readonly atMs: number;
  usedAtMs: number;
  /** When the last refresh failed. */
  failedAtMs: number;
  /** True if the group changed since this answer. */
  isStale: boolean;
}

const entriesMaxDefault = 100_000;
const absentMax = 10_000;
const askingMax = 1_000;
/** Bounds background refreshes while calls fail: enough to notice the recovery. */
const awayAskingMax = 16;
/** Pause after a failed refresh, while there is an older answer. */
const pauseMs = 500;
/** Bounds the wait of a request if the last known answer may be used, or if the last call failed. */
const waitMsMax = 1_000;
const firstWaitMsMax = 3_000;
const retryAfterSeconds = 1;

export function createRemoteCache<Asked extends object, Answer>(
  options: RemoteCacheOptions<Asked, Answer>,
): RemoteCache<Asked, Answer> {
  return new CachedAnswers(options);
}

class CachedAnswers<Asked extends object, Answer> implements RemoteCache<Asked, Answer> {
  readonly #options: RemoteCacheOptions<Asked, Answer>;
  readonly #entriesMax: number;
  readonly #lifetimes: Lifetimes;
  /** Sorted by last use, oldest first. */
  readonly #entries = new Map<string, Cached<Answer>>();
  /** The keys of each group with several questions. */
  readonly #keysOfGroup = new Map<string, Set<string>>();
  /** Answers that say that there is nothing. They are apart, so that guesses displace no other answer. */
  readonly #absent = new Map<string, { readonly answer: Answer; readonly atMs: number }>();
  readonly #asking = new Map<string, Promise<Answer>>();
  /** Caches the key of a question object: callers mostly pass the same object. */
  readonly #keys = new WeakMap<Asked, string>();
  /** True if the last call failed. */
  #isAway = false;

  constructor(options: RemoteCacheOptions<Asked, Answer>) {
    this.#options = options;
    this.#entriesMax = options.entriesMax ?? entriesMaxDefault;
    this.#lifetimes = new Lifetimes(() => options.unsubscribedMs(), options.lastKnownMsMax);
  }

  peek(question: Asked): Answer | undefined {
    const key = this.#keyOf(question);
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const nowMs = this.#options.nowMs();
    entry.usedAtMs = nowMs;
    // The order of use matters only once the map is half full. Entries in use move on with each refresh anyway.
    if (this.#entries.size * 2 > this.#entriesMax) this.#put(key, entry);
    const { atMs, answer } = entry;
    const use = entry.isStale ? undefined : this.#lifetimes.useOf(key, atMs, nowMs - atMs);
    if (use === 'fresh') return answer;
    if (use === undefined && !(this.#isAway && this.#isLastKnown(entry))) return undefined;
    this.#refresh(key, question, entry);
    return answer;
  }

  find(question: Asked): Answer | Promise<Answer> {
    const answer = this.peek(question);
    if (answer !== undefined) return answer;
    const key = this.#keyOf(question);
    const entry = this.#entries.get(key);
    const absent = entry ? undefined : this.#absent.get(key);
    if (absent && this.#isRecent(absent.atMs, absentMsMax)) return absent.answer;
    return this.#answer(key, question, entry && this.#isLastKnown(entry) ? entry : undefined);
  }

  last(question: Asked): Answer | undefined {
    return this.#entries.get(this.#keyOf(question))?.answer;
  }

  changed(group: string): void {
    this.#dropPending(group);
    for (const key of this.#keysOf(group)) {
      const entry = this.#entries.get(key);
      if (entry) entry.isStale = true;
    }
  }

  forget(group: string): void {
    this.#dropPending(group);
    for (const key of this.#keysOf(group)) this.#entries.delete(key);
    this.#keysOfGroup.delete(group);
  }

  subscribedAnew(): void {
    // Before the first call no answer depends on notices: pending answers live five seconds in any case.
    if (this.#lifetimes.subscribedFromMs !== Infinity) this.#asking.clear();
    this.#lifetimes.subscribedFromMs = this.#options.nowMs();
    this.#absent.clear();
  }

  sweep(): void {
    for (const [key, entry] of this.#entries)
      if (!this.#isRecent(entry.usedAtMs, idleMsMax) || !this.#isLastKnown(entry))
        this.#drop(key, entry.group);
  }

  get size(): number {
    return this.#entries.size;
  }

  #isRecent(atMs: number, msMax: number): boolean {
    const ageMs = this.#options.nowMs() - atMs;
    return ageMs >= 0 && ageMs < msMax;
  }

  #isLastKnown({ atMs }: Cached<Answer>): boolean {
    return this.#lifetimes.isLastKnown(atMs, this.#options.nowMs() - atMs);
  }

  /** Asks again in the background. */
  #refresh(key: string, question: Asked, { failedAtMs }: Cached<Answer>): void {
    const { size } = this.#asking;
    if (this.#asking.has(key) || size >= (this.#isAway ? awayAskingMax : askingMax)) return;
    if (!this.#isRecent(failedAtMs, pauseMs)) this.#ask(key, question).catch(() => {});
  }

  /** Waits for a new answer, well below the caller's own deadline. Then the last known one counts, if there is one. */
  async #answer(key: string, question: Asked, entry?: Cached<Answer>): Promise<Answer> {
    try {
      const asking = this.#asking.get(key) ?? this.#ask(key, question);
      const isShort = entry !== undefined || this.#isAway;
      const answered = await answerWithin(asking, isShort ? waitMsMax : firstWaitMsMax);
      if (answered) return answered.answer;
      this.#failed(key);
      throw new Fault('unavailable', { retryAfterSeconds });
    } catch (error) {
      // A refusal drops the entry, and so does a revocation.
      if (entry && this.#entries.get(key) === entry && this.#isLastKnown(entry))
        return entry.answer;
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
      if (isCurrent()) this.#keep(key, question, { answer, atMs });
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
    const entry = this.#entries.get(key);
    if (entry) entry.failedAtMs = this.#options.nowMs();
  }

  #keep(key: string, question: Asked, got: Pick<Cached<Answer>, 'answer' | 'atMs'>): void {
    const group = this.#options.groupOf(question);
    this.#options.onAnswer?.(question);
    this.#absent.delete(key);
    if (this.#options.isNone?.(got.answer)) {
      this.#drop(key, group);
      this.#absent.set(key, got);
      const oldest = tooMany(this.#absent, absentMax);
      if (oldest !== undefined) this.#absent.delete(oldest);
      return;
    }
    this.#put(key, { ...got, group, usedAtMs: got.atMs, failedAtMs: -Infinity, isStale: false });
    if (this.#options.nameOf) {
      const keys = this.#keysOfGroup.get(group) ?? new Set();
      this.#keysOfGroup.set(group, keys.add(key));
    }
    const oldest = tooMany(this.#entries, this.#entriesMax);
    if (oldest !== undefined) this.#drop(oldest, this.#entries.get(oldest)?.group ?? group);
  }

  #drop(key: string, group: string): void {
    this.#entries.delete(key);
    const left = this.#keysOfGroup.get(group);
    left?.delete(key);
    if (left?.size === 0) this.#keysOfGroup.delete(group);
  }

  #keysOf(group: string): Iterable<string> {
    return this.#options.nameOf ? (this.#keysOfGroup.get(group) ?? []) : [group];
  }

  /** Forgets pending questions of the group, and its answers that said that there is nothing. */
  #dropPending(group: string): void {
    if (!this.#options.nameOf) {
      this.#asking.delete(group);
      this.#absent.delete(group);
      return;
    }
    const prefix = `${group}\0`;
    for (const pending of [this.#asking, this.#absent])
      for (const key of pending.keys()) if (key.startsWith(prefix)) pending.delete(key);
  }

  /** Puts the entry behind all others. */
  #put(key: string, entry: Cached<Answer>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
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

/** Returns the oldest key of a map that has one too many. */
function tooMany(map: ReadonlyMap<string, unknown>, sizeMax: number): string | undefined {
  return map.size > sizeMax ? map.keys().next().value : undefined;
}

/** True for a refusal, which a second call would not change. */
function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && !error.retryable;
}

/** True if the answer is held back until an operator has acted. Its code tells so, for any question. */
function isSetAside(fault: Fault): boolean {
  return fault.code === 'stream_unreadable';
}
