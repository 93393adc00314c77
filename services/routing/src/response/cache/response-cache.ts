import type { AnswerPart } from '@sluice/inference';
import type { AlignmentResult } from '../../request/alignment.ts';
import type { Repeated } from '../../turn/settle-repeated.ts';

/** A whole answer that may be repeated. */
export interface KeptResponse extends Repeated {
  readonly parts: readonly AnswerPart[];
  /** The judgments of the answer. If undefined, its request has no rules. */
  readonly alignment?: AlignmentResult | undefined;
  readonly keptAtMs: number;
  readonly expiresAtMs: number;
  readonly bytes: number;
}

export interface ResponseCacheOptions {
  /** Bounds all answers together. */
  readonly bytesMax: number;
  /** Bounds the answers of one account: it displaces its own, and leaves room for those of others. */
  readonly accountBytesMax: number;
  /** Bounds one answer: longer ones are not kept. */
  readonly answerBytesMax: number;
}

const mebibyte = 1024 * 1024;

export const responseCacheDefaults: ResponseCacheOptions = {
  bytesMax: 64 * mebibyte,
  accountBytesMax: 16 * mebibyte,
  answerBytesMax: 2 * mebibyte,
};

interface Kept {
  readonly accountId: string;
  readonly response: KeptResponse;
}

/** The answers that this replica may repeat (contract inference.md 23), in memory and bounded in bytes. */
export class ResponseCache {
  readonly options: ResponseCacheOptions;
  /** The longest unused first. */
  readonly #kept = new Map<string, Kept>();
  /** The keys of each account, in the same order, and the bytes of its answers. */
  readonly #accounts = new Map<string, { readonly keys: Set<string>; bytes: number }>();
  #bytes = 0;

  constructor(options: ResponseCacheOptions = responseCacheDefaults) {
    this.options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string, nowMs: number): KeptResponse | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.drop(key);
    if (kept.response.expiresAtMs <= nowMs) return undefined;
    this.#add(key, kept);
    return kept.response;
  }

  /** Takes the place of an answer with the same key. */
  keep(key: string, accountId: string, response: KeptResponse): void {
    this.drop(key);
    if (response.bytes > this.options.answerBytesMax) return;
    this.#add(key, { accountId, response });
    while (this.#bytesOf(accountId) > this.options.accountBytesMax)
      this.#dropFirst(this.#accounts.get(accountId)?.keys ?? []);
    while (this.#bytes > this.options.bytesMax) this.#dropFirst(this.#kept.keys());
  }

  drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    const { accountId, response } = kept;
    this.#kept.delete(key);
    this.#bytes -= response.bytes;
    const ofAccount = this.#accounts.get(accountId);
    if (!ofAccount) return;
    ofAccount.keys.delete(key);
    ofAccount.bytes -= response.bytes;
    if (ofAccount.keys.size === 0) this.#accounts.delete(accountId);
  }

  #bytesOf(accountId: string): number {
    return this.#accounts.get(accountId)?.bytes ?? 0;
  }

  #add(key: string, kept: Kept): void {
    const { accountId, response } = kept;
    this.#kept.set(key, kept);
    this.#bytes += response.bytes;
    const ofAccount = this.#accounts.get(accountId) ?? { keys: new Set<string>(), bytes: 0 };
    ofAccount.keys.add(key);
    ofAccount.bytes += response.bytes;
    this.#accounts.set(accountId, ofAccount);
  }

  #dropFirst(keys: Iterable<string>): void {
    for (const key of keys) return this.drop(key);
  }
}
