import { Fault } from '@sluice/errors';
import { answerWithin } from '@sluice/service';

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
  /** Has the account asked for anew. An answer on its way does not count. */
  changed(accountId: string): void;
  /** As `changed`; what was learnt of the account before is never used again. */
  forget(accountId: string): void;
  /** Changes are heard from now on: what was learnt before may have changed unheard. */
  hearing(): void;
  /** Lets go of what is too old to be used, or was not used for a minute. */
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
  /** How old the last answer may be that is used while there is no newer one. */
  readonly lastKnownMsMax?: number | undefined;
}

interface Learnt<Answer> {
  readonly answer: Answer;
  readonly accountId: string;
  /** When it was asked for, not when the answer came. */
  readonly atMs: number;
  /** Entries that were learnt together are asked for anew at different times. */
  readonly youngMs: number;
  usedAtMs: number;
  failedAtMs: number;
  /** It has changed since, and the answer that shows it has not come. */
  isStale: boolean;
}

const entriesMaxDefault = 100_000;
const askingMax = 1_000;
/** Questions beside requests while answers fail: enough to notice that they come again. */
const awayAskingMax = 16;
/** How long it is true without a question while changes are heard, and while they are not. */
const heardMsMax = 60_000;
const unheardMsMax = 5_000;
const unheardYoungMs = 2_500;
/** From this age on it is asked for anew; each entry at another moment of the next part. */
const youngMs = 15_000;
const spreadMs = 15_000;
const idleMsMax = 60_000;
/** A question that failed is not asked again for a moment, while there is an older answer. */
const pauseMs = 500;
/** How long a request waits for a new answer where the last known one may be used. */
const waitMsMax = 1_000;
export const lastKnownMsDefault = 3_600_000;
const retryAfterSeconds = 1;

export function createKnown<Asked extends Question, Answer>(
  options: KnownOptions<Asked, Answer>,
): Known<Asked, Answer> {
  return new KnownAnswers(options);
}

class KnownAnswers<Asked extends Question, Answer> implements Known<Asked, Answer> {
  readonly #options: KnownOptions<Asked, Answer>;
  readonly #entriesMax: number;
  readonly #lastKnownMsMax: number;
  /** The longest unused first. */
  readonly #learnt = new Map<string, Learnt<Answer>>();
  readonly #ofAccount = new Map<string, Set<string>>();
  readonly #asking = new Map<string, Promise<Answer>>();
  /** Whoever asks mostly asks with the same object: its key is made once. */
  readonly #keys = new WeakMap<Asked, string>();
  #heardFromMs = Infinity;
  /** The last question that ended has failed. */
  #isAway = false;

  constructor(options: KnownOptions<Asked, Answer>) {
    this.#options = options;
    this.#entriesMax = options.entriesMax ?? entriesMaxDefault;
    this.#lastKnownMsMax = options.lastKnownMsMax ?? lastKnownMsDefault;
  }

  find(question: Asked): Answer | Promise<Answer> {
    const key = this.#keyOf(question);
    const known = this.#learnt.get(key);
    if (!known) return this.#asking.get(key) ?? this.#ask(key, question);
    const nowMs = this.#options.nowMs();
    known.usedAtMs = nowMs;
    // Until something has to go, nobody asks who was used last; whoever is used is learnt again now and then.
    if (this.#learnt.size * 2 > this.#entriesMax) this.#use(key, known);
    const ageMs = nowMs - known.atMs;
    const isHeard = this.#isHeard(known);
    if (!known.isStale && ageMs >= 0 && ageMs < (isHeard ? heardMsMax : unheardMsMax)) {
      if (ageMs >= (isHeard ? known.youngMs : unheardYoungMs)) this.#refresh(key, question, known);
      return known.answer;
    }
    if (!this.#mayBeUsed(known)) return this.#asking.get(key) ?? this.#ask(key, question);
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

  /** True of what was learnt since changes are heard. */
  #isHeard({ atMs }: Learnt<Answer>): boolean {
    return atMs >= this.#heardFromMs && this.#options.hearsChanges();
  }

  /** True of what may be used while there is no newer answer. */
  #mayBeUsed(learnt: Learnt<Answer>): boolean {
    const ageMs = this.#options.nowMs() - learnt.atMs;
    return ageMs >= 0 && ageMs < (this.#isHeard(learnt) ? this.#lastKnownMsMax : unheardMsMax);
  }

  /** Beside the request: what is known is used for a while yet. */
  #refresh(key: string, question: Asked, known: Learnt<Answer>): void {
    const { size } = this.#asking;
    if (this.#asking.has(key) || size >= (this.#isAway ? awayAskingMax : askingMax)) return;
    if (Math.abs(this.#options.nowMs() - known.failedAtMs) < pauseMs) return;
    this.#ask(key, question).catch(() => {});
  }

  async #askOrUse(key: string, question: Asked, known: Learnt<Answer>): Promise<Answer> {
    const asking = this.#asking.get(key) ?? this.#ask(key, question);
    // An answer that says no drops it; so does a change that revokes.
    const isLeft = () => this.#learnt.get(key) === known && this.#mayBeUsed(known);
    try {
      const answered = await answerWithin(asking, waitMsMax);
      if (answered) return answered.answer;
      this.#failed(key);
      return isLeft() ? known.answer : await asking;
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

/** True of a refusal: it was asked and answered, and asking again changes nothing. */
function isAnswer(error: unknown): boolean {
  return error instanceof Fault && !error.retryable;
}

/** From 0 to below 1, a function of the text. */
function shareOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++)
    sum = (sum * 31 + text.charCodeAt(index)) % 1_000;
  return sum / 1_000;
}
