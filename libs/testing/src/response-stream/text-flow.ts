import { isDeepStrictEqual } from 'node:util';
import type { Loose, StreamEvent } from './event-shapes.ts';
import { rule } from './rules.ts';

/** The field of a text in its `.done` event, by the name before `.delta` and `.done`. */
const doneFields: Readonly<Record<string, string>> = {
  'response.output_text': 'text',
  'response.refusal': 'refusal',
  'response.reasoning_text': 'text',
  'response.reasoning_summary_text': 'text',
  'response.function_call_arguments': 'arguments',
  'response.custom_tool_call_input': 'input',
  'response.code_interpreter_call_code': 'code',
  'response.apply_patch_call_operation_diff': 'diff',
};

/** A piece of a text, or its end. */
export interface TextEvent {
  /** Such as `response.output_text`. */
  readonly family: string;
  readonly step: 'delta' | 'done';
}

/** Returns undefined if the event belongs to no text. */
export function textEventOf(type: string): TextEvent | undefined {
  const cut = type.lastIndexOf('.');
  const family = type.slice(0, cut);
  const step = type.slice(cut + 1);
  if (!Object.hasOwn(doneFields, family) || (step !== 'delta' && step !== 'done')) return undefined;
  return { family, step };
}

/** A text as its deltas make it. */
export class TextFlow {
  readonly logprobs: unknown[] = [];
  readonly #mayCorrect: boolean;
  #text = '';
  #isDone = false;

  /** With `mayCorrect`, the text that is done may replace that of its deltas. */
  constructor(mayCorrect: boolean) {
    this.#mayCorrect = mayCorrect;
  }

  get text(): string {
    return this.#text;
  }

  /** True if a snapshot may have this text. */
  allows(text: unknown): boolean {
    return text === this.#text || (this.#mayCorrect && !this.#isDone);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  take({ family, step }: TextEvent, event: StreamEvent): void {
    rule('text-done-once', !this.#isDone, () => `${event.type} after the end of the text`);
    const logprobs = (event['logprobs'] ?? []) as readonly unknown[];
    if (step === 'delta') {
      this.#text += String(event['delta']);
      this.logprobs.push(...logprobs);
      return;
    }
    this.#isDone = true;
    const text = event[doneFields[family] ?? ''];
    if (this.#mayCorrect) this.#text = String(text);
    rule('deltas-add-up', text === this.#text, () => differs(event.type, text, this.#text));
    const isSame = isDeepStrictEqual(logprobs, this.logprobs);
    rule('logprobs', isSame, () => differs(event.type, logprobs, this.logprobs));
  }
}

/** Returns the difference between the text of the events and the expected one. */
export function differs(where: string, told: unknown, expected: unknown): string {
  return `${where} says ${short(told)}, not ${short(expected)}`;
}

const shownMax = 300;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

/** The fields of an object that must not change while it grows. */
export function same(
  name: 'item-kind' | 'same-response',
  [before, after]: readonly [Loose, Loose],
  fields: readonly string[],
): void {
  for (const field of fields) {
    const isSame = isDeepStrictEqual(after[field], before[field]);
    rule(name, isSame, () => differs(field, after[field], before[field]));
  }
}
