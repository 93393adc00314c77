import { catalog } from '@sluice/errors';
import { faultOf } from '@sluice/client-errors';
import { type AnswerPart, type LastPart, textOf } from '@sluice/inference';
import { AnswerItems } from '../../request/answer-items.ts';
import type { AskFailure, ModelAnswer, ModelQuestion } from '../../tools/ask-model.ts';
import type { ResponseListener } from '../response-listener.ts';

/** Collects the answer to a question of a tool. */
export class InnerAnswer implements ResponseListener {
  readonly #question: ModelQuestion;
  #model: string;
  #items = new AnswerItems();

  constructor(question: ModelQuestion) {
    this.#question = question;
    this.#model = question.model;
  }

  opened(): void {
    // The tool reads the whole answer.
  }

  servedBy(model: string): void {
    this.#model = model;
  }

  parts(parts: readonly AnswerPart[]): undefined {
    for (const part of parts) this.#add(part);
  }

  /** Returns the answer at its end. */
  end(last: LastPart): ModelAnswer {
    return last.type === 'error' ? this.#failed(last.code, last.message) : this.#answer();
  }

  /** Returns the answer to a question that a Fault or another error ended. */
  broke(error: unknown): ModelAnswer {
    const { code, message } = faultOf(error);
    return this.#failed(code, message);
  }

  #failed(code: keyof typeof catalog, message: string): ModelAnswer {
    const error: AskFailure = { code, message, status: catalog[code].http };
    return { ...this.#answer(), error };
  }

  #answer(): ModelAnswer {
    const items = this.#items.items();
    const texts = items.map((item) =>
      item.type === 'message' && item.role === 'assistant' ? textOf(item.content) : '',
    );
    return { model: this.#model, text: texts.join(''), items };
  }

  #add(part: AnswerPart): void {
    // The answer begins again after a tool.
    if (part.type === 'tool-item-start') this.#items = new AnswerItems();
    else this.#items.add(part);
    if (part.type === 'text-delta') this.#question.onText?.(part.delta);
    if (part.type === 'reasoning-delta' || part.type === 'reasoning-summary-delta')
      this.#question.onReasoning?.(part.delta);
  }
}
