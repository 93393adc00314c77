import { Fault } from '@sluice/errors';

/** What is asked is of one account. */
export interface Question {
  readonly accountId: string;
}

/** What this replica knows, so that a request needs no call. Bounded in number and age. */
export interface Known<Asked extends Question, Answer> {
  /**
   * At once when it is known, and then without asking anybody: what is no longer young is asked for
   * beside the request. Throws unavailable when it has to be asked for and nobody answers.
   */
  find(question: Asked): Answer | Promise<Answer>;
  /** From now on nothing learnt of the account before counts, not even an answer on its way. */
  forget(accountId: string): void;
  /** Changes are heard from now on: what was learnt before may have changed unheard. */
  hearing(): void;
  /** Lets go of what is too old to be true. */
  sweep(): void;
  readonly size: number;
}

export interface KnownOptions<Asked extends Question, Answer> {
  readonly ask: (question: Asked) => Promise<Answer>;
  /** One text per question of an account. */
  readonly nameOf: (question: Asked) => string;
  /** False while changes cannot be heard. */
  readonly hearsChanges: () => boolean;
  readonly nowMs: () => number;
  readonly entriesMax?: number;
}

interface Learnt<Answer> {
  readonly answer: Answer;
  readonly accountId: string;
  /** When it was asked for, not when the answer came. */
  readonly atMs: number;
}

const entriesMaxDefault = 100_000;
const askingMax = 1_000;
/** How long it is true while changes are heard, and after how long it is asked for again. */
const heard = { ageMsMax: 60_000, youngMs: 15_000 };
const unheard = { ageMsMax: 5_000, youngMs: 2_500 };
/** Whoever did not answer is left alone for a moment, while there is an older answer. */
const pauseMs = 500;
const retryAfterSeconds = 1;

export function createKnown<Asked extends Question, Answer>(
  options: KnownOptions<Asked, Answer>,
): Known<Asked, Answer> {
  return new KnownAnswers(options);
}

class KnownAnswers<Asked extends Question, Answer> implements Known<Asked, Answer> {
  readonly #options: KnownOptions<Asked, Answer>;
  readonly #entriesMax: number;
  /** The longest unused first. */
  readonly #learnt = new Map<string, Learnt<Answer>>();
  readonly #ofAccount = new Map<string, Set<string>>();
  readonly #asking = new Map<string, Promise<Answer>>();
  /** Whoever asks mostly asks with the same object: its key is made once. */
  readonly #keys = new WeakMap<Asked, string>();
  #heardFromMs = Infinity;
  #failedAtMs = -Infinity;

  constructor(options: KnownOptions<Asked, Answer>) {
    this.#options = options;
    this.#entriesMax = options.entriesMax ?? entriesMaxDefault;
  }

  find(question: Asked): Answer | Promise<Answer> {
    const key = this.#keyOf(question);
    const known = this.#learnt.get(key);
    const ageMs = known ? this.#ageMs(known) : 0;
    if (known && this.#isTrue(known, ageMs)) {
      // Until something has to go, nobody asks who was used last; whoever is used is learnt again now and then.
      if (this.#learnt.size * 2 > this.#entriesMax) this.#use(key, known);
      if (ageMs >= this.#terms(known).youngMs) this.#refresh(key, question);
      return known.answer;
    }
    return this.#asking.get(key) ?? this.#ask(key, question);
  }

  forget(accountId: string): void {
    const prefix = `${accountId}\0`;
    for (const key of this.#asking.keys()) if (key.startsWith(prefix)) this.#asking.delete(key);
    for (const key of this.#ofAccount.get(accountId) ?? []) this.#learnt.delete(key);
    this.#ofAccount.delete(accountId);
  }

  hearing(): void {
    this.#heardFromMs = this.#options.nowMs();
  }

  sweep(): void {
    for (const [key, learnt] of this.#learnt)
      if (!this.#isTrue(learnt, this.#ageMs(learnt))) this.#drop(key, learnt.accountId);
  }

  get size(): number {
    return this.#learnt.size;
  }

  #ageMs({ atMs }: Learnt<Answer>): number {
    return this.#options.nowMs() - atMs;
  }

  #isTrue(learnt: Learnt<Answer>, ageMs: number): boolean {
    return ageMs >= 0 && ageMs < this.#terms(learnt).ageMsMax;
  }

  #terms({ atMs }: Learnt<Answer>): typeof heard {
    return atMs >= this.#heardFromMs && this.#options.hearsChanges() ? heard : unheard;
  }

  #refresh(key: string, question: Asked): void {
    if (this.#asking.has(key) || this.#asking.size >= askingMax) return;
    if (Math.abs(this.#options.nowMs() - this.#failedAtMs) < pauseMs) return;
    // Beside the request: what is known is true for a while yet.
    this.#ask(key, question).catch(() => {});
  }

  async #ask(key: string, question: Asked): Promise<Answer> {
    if (this.#asking.size >= askingMax) throw new Fault('unavailable', { retryAfterSeconds });
    const atMs = this.#options.nowMs();
    const asked = this.#options.ask(question);
    this.#asking.set(key, asked);
    const isCurrent = () => this.#asking.get(key) === asked;
    try {
      const answer = await asked;
      if (isCurrent()) this.#learn(key, { answer, accountId: question.accountId, atMs });
      return answer;
    } catch (cause) {
      this.#failedAtMs = this.#options.nowMs();
      throw new Fault('unavailable', { retryAfterSeconds, cause });
    } finally {
      if (isCurrent()) this.#asking.delete(key);
    }
  }

  #learn(key: string, learnt: Learnt<Answer>): void {
    this.#use(key, learnt);
    const keys = this.#ofAccount.get(learnt.accountId) ?? new Set();
    this.#ofAccount.set(learnt.accountId, keys.add(key));
    for (const [oldest, { accountId }] of this.#learnt) {
      if (this.#learnt.size <= this.#entriesMax) return;
      this.#drop(oldest, accountId);
    }
  }

  #drop(key: string, accountId: string): void {
    this.#learnt.delete(key);
    const left = this.#ofAccount.get(accountId);
    left?.delete(key);
    if (left?.size === 0) this.#ofAccount.delete(accountId);
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
