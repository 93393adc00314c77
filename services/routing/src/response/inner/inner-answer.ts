import { catalog } from '@sluice/errors';
import { faultOf } from '@sluice/client-errors';
import {
  type AnswerPart,
  type InputItem,
  type LastPart,
  type ReadPage,
  type ServedCall,
  textOf,
} from '@sluice/inference';
import { AnswerItems } from '../../request/answer-items.ts';
import type { AskFailure, ModelAnswer, ModelQuestion } from '../../tools/ask-model.ts';
import type { ResponseListener } from '../response-listener.ts';

const sourcesMax = 200;

/** Collects the answer to a question of a tool. */
export class InnerAnswer implements ResponseListener {
  readonly #question: ModelQuestion;
  #model: string;
  #items = new AnswerItems();
  /** The items before those of `#items`. */
  readonly #before: InputItem[] = [];
  readonly #sources = new Map<string, ReadPage>();
  /** Calls of tools that ran after the model's last output. */
  readonly #served: ServedCall[] = [];

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
    if (last.type === 'error') return this.#failed(last.code, last.message);
    return last.reason === 'length' ? { ...this.#answer(), isCut: true } : this.#answer();
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
    const transcript = [...this.#before, ...servedItems(this.#served), ...items];
    const sources = [...this.#sources.values()];
    return { model: this.#model, text: texts.join(''), items, transcript, sources };
  }

  #add(part: AnswerPart): void {
    if (part.type === 'tool-item-start') this.#endAnswer();
    else if (part.type === 'tool-item-end') this.#addServed(part.call);
    else if (part.type !== 'tool-item-progress') this.#addToAnswer(part);
    if (part.type === 'text-annotation') this.#addCited(part.annotation);
    if (part.type === 'text-delta') this.#question.onText?.(part.delta);
    if (part.type === 'reasoning-delta' || part.type === 'reasoning-summary-delta')
      this.#question.onReasoning?.(part.delta);
  }

  #addServed(call: ServedCall): void {
    this.#served.push(call);
    for (const page of call.sources ?? []) this.#addSource(page);
  }

  #addCited({ type, url, title }: Readonly<Record<string, unknown>>): void {
    if (type !== 'url_citation' || typeof url !== 'string') return;
    this.#addSource({ url, title: typeof title === 'string' ? title : url, content: '' });
  }

  #addSource(page: ReadPage): void {
    if (this.#sources.size < sourcesMax && !this.#sources.has(page.url))
      this.#sources.set(page.url, page);
  }

  /** The answer begins again after a tool. */
  #endAnswer(): void {
    this.#before.push(...this.#items.items());
    this.#items = new AnswerItems();
  }

  #addToAnswer(part: AnswerPart): void {
    this.#before.push(...servedItems(this.#served.splice(0)));
    this.#items.add(part);
  }
}

/** Returns calls and their outputs as the model reads them. */
function servedItems(calls: readonly ServedCall[]): readonly InputItem[] {
  return [
    ...calls.map(({ callId, name, arguments: text }): InputItem => {
      return { type: 'function-call', callId, name, arguments: text };
    }),
    ...calls.map(({ callId, result }): InputItem => {
      return { type: 'function-call-output', callId, output: result };
    }),
  ];
}
