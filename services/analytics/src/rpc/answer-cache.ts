import type { Clock } from '@sluice/clock-and-ids';
import type { Answer } from '../store/analytics-store.ts';

interface Kept {
  readonly answer: Answer;
  readonly atMs: number;
  readonly untilMs: number;
}

export interface Cached {
  readonly answer: Answer;
  /** When the store was asked. Undefined: just now. */
  readonly cachedAtMs: number | undefined;
  readonly tookMs: number;
}

/** An answer is kept so many times as long as its query took: what is cheap to ask is always new. */
const keptTimes = 10;
const keptMsMax = 30_000;
/** An answer about now is kept for so long, or for as long as its query took: usage is visible soon. */
const keptMsMaxNow = 500;
const answersMax = 256;
const rowsMax = 20_000;

/** Remembers some answers, the last used ones, and asks once for those who ask the same at a time. */
export class AnswerCache {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Map<string, Promise<Cached>>();
  #rows = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asks, unless an answer is kept for the key. `isOfNow` says that usage of this moment may change it. */
  async answer(
    { key, isOfNow }: { readonly key: string; readonly isOfNow: boolean },
    ask: () => Promise<Answer>,
  ): Promise<Cached> {
    const kept = this.#kept.get(key);
    const nowMs = this.#clock.now().getTime();
    if (kept && nowMs < kept.untilMs)
      return { answer: kept.answer, cachedAtMs: kept.atMs, tookMs: 0 };
    const underWay = this.#asked.get(key);
    if (underWay) return await underWay;
    const asking = this.#ask({ key, isOfNow }, ask).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return await asking;
  }

  async #ask(
    { key, isOfNow }: { readonly key: string; readonly isOfNow: boolean },
    ask: () => Promise<Answer>,
  ): Promise<Cached> {
    const atMs = this.#clock.now().getTime();
    const answer = await ask();
    const tookMs = Math.max(0, this.#clock.now().getTime() - atMs);
    this.#forget(key);
    const mostMs = isOfNow ? Math.max(keptMsMaxNow, tookMs) : keptMsMax;
    const untilMs = atMs + tookMs + Math.min(mostMs, keptMsMax, keptTimes * tookMs);
    this.#kept.set(key, { answer, atMs, untilMs });
    this.#rows += answer.rows.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= answersMax && this.#rows <= rowsMax) break;
      this.#forget(oldest);
    }
    return { answer, cachedAtMs: undefined, tookMs };
  }

  #forget(key: string): void {
    this.#rows -= this.#kept.get(key)?.answer.rows.length ?? 0;
    this.#kept.delete(key);
  }
}
