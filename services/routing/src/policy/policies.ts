import { Fault } from '@sluice/errors';
import type { Policy, PolicyQuestion } from './policy.ts';

/** What this replica knows of policies, so that a request needs no call. Bounded in number and age. */
export interface Policies {
  /**
   * At once when it is known, and then without asking anybody: what is no longer young is asked for
   * beside the request. Throws unavailable when it has to be asked for and nobody answers.
   */
  find(question: PolicyQuestion): Policy | Promise<Policy>;
  /** From now on nothing learnt of the account before counts, not even an answer on its way. */
  forget(accountId: string): void;
  /** Changes are heard from now on: what was learnt before may have changed unheard. */
  hearing(): void;
  readonly size: number;
}

export interface PoliciesOptions {
  readonly ask: (question: PolicyQuestion) => Promise<Policy>;
  /** False while changes cannot be heard. */
  readonly hearsChanges: () => boolean;
  readonly nowMs: () => number;
  readonly entriesMax?: number;
}

interface Learnt {
  readonly policy: Policy;
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

export function createPolicies(options: PoliciesOptions): Policies {
  return new KnownPolicies(options);
}

class KnownPolicies implements Policies {
  readonly #options: PoliciesOptions;
  readonly #entriesMax: number;
  /** The longest unused first. */
  readonly #learnt = new Map<string, Learnt>();
  readonly #ofAccount = new Map<string, Set<string>>();
  readonly #asking = new Map<string, Promise<Policy>>();
  #heardFromMs = Infinity;
  #failedAtMs = -Infinity;

  constructor(options: PoliciesOptions) {
    this.#options = options;
    this.#entriesMax = options.entriesMax ?? entriesMaxDefault;
  }

  find(question: PolicyQuestion): Policy | Promise<Policy> {
    const key = keyOf(question);
    const known = this.#learnt.get(key);
    if (known) {
      const { isTrue, isYoung } = this.#judge(known);
      if (isTrue) {
        this.#use(key, known);
        if (!isYoung) this.#refresh(key, question);
        return known.policy;
      }
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

  get size(): number {
    return this.#learnt.size;
  }

  #judge({ atMs }: Learnt): { readonly isTrue: boolean; readonly isYoung: boolean } {
    const ageMs = this.#options.nowMs() - atMs;
    const { ageMsMax, youngMs } =
      atMs >= this.#heardFromMs && this.#options.hearsChanges() ? heard : unheard;
    return { isTrue: ageMs >= 0 && ageMs < ageMsMax, isYoung: ageMs < youngMs };
  }

  #refresh(key: string, question: PolicyQuestion): void {
    if (this.#asking.has(key) || this.#asking.size >= askingMax) return;
    if (Math.abs(this.#options.nowMs() - this.#failedAtMs) < pauseMs) return;
    // Beside the request: what is known is true for a while yet.
    this.#ask(key, question).catch(() => {});
  }

  async #ask(key: string, question: PolicyQuestion): Promise<Policy> {
    if (this.#asking.size >= askingMax) throw new Fault('unavailable', { retryAfterSeconds });
    const atMs = this.#options.nowMs();
    const answer = this.#options.ask(question);
    this.#asking.set(key, answer);
    const isCurrent = () => this.#asking.get(key) === answer;
    try {
      const policy = await answer;
      if (isCurrent()) this.#learn(key, { policy, accountId: question.accountId, atMs });
      return policy;
    } catch (cause) {
      this.#failedAtMs = this.#options.nowMs();
      throw new Fault('unavailable', { retryAfterSeconds, cause });
    } finally {
      if (isCurrent()) this.#asking.delete(key);
    }
  }

  #learn(key: string, learnt: Learnt): void {
    this.#use(key, learnt);
    const keys = this.#ofAccount.get(learnt.accountId) ?? new Set();
    this.#ofAccount.set(learnt.accountId, keys.add(key));
    for (const [oldest, { accountId }] of this.#learnt) {
      if (this.#learnt.size <= this.#entriesMax) return;
      this.#learnt.delete(oldest);
      const left = this.#ofAccount.get(accountId);
      left?.delete(oldest);
      if (left?.size === 0) this.#ofAccount.delete(accountId);
    }
  }

  #use(key: string, learnt: Learnt): void {
    this.#learnt.delete(key);
    this.#learnt.set(key, learnt);
  }
}

function keyOf({ accountId, workspaceId, keyHash, creatorUserId = '' }: PolicyQuestion): string {
  return `${accountId}\0${workspaceId}\0${keyHash}\0${creatorUserId}`;
}
