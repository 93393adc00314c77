import { addUsage, type UsageReport } from '../../request/usage-report.ts';
import type { AskModel } from '../../tools/ask-model.ts';
import type { Asked, Asking } from './asking.ts';

/** The questions of one call of a tool to models. */
export class CallQuestions {
  readonly #ask: (asking: Asking) => Promise<Asked>;
  readonly #of: Pick<Asking, 'type' | 'signal'>;
  readonly #open = new Set<Promise<unknown>>();
  #count = 0;
  #usage: UsageReport | undefined;

  constructor(ask: (asking: Asking) => Promise<Asked>, of: Pick<Asking, 'type' | 'signal'>) {
    this.#ask = ask;
    this.#of = of;
  }

  /** Returns what the call with this usage id asks with. */
  askerOf(usageId: string): AskModel {
    return async (question) => {
      this.#count += 1;
      const usagePrefix = `${usageId}/${String(this.#count)}`;
      const asked = this.#ask({ ...this.#of, question, usagePrefix });
      this.#open.add(asked);
      try {
        const { answer, usage } = await asked;
        if (usage) this.#usage = this.#usage ? addUsage(this.#usage, usage) : usage;
        return answer;
      } finally {
        this.#open.delete(asked);
      }
    };
  }

  /** Waits for the questions that a call left open, and returns the usage of all. undefined: there was none. */
  async settled(): Promise<UsageReport | undefined> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
    return this.#usage;
  }
}
