import type { LastPart, StreamPart } from '@sluice/inference';
import { errorObject, toldFailure } from './error-object.ts';
import { asObject, parseJson } from './json-reader.ts';
import { openAiErrorWord } from './openai-error.ts';
import { malformedPart } from './upstream-error.ts';

/** Bounds the text that is kept. A failure has its meaning in its first characters. */
const charactersMax = 4_096;

/** The events and lines of a stream that are none of its dialect. */
export class StrayEvents {
  #text = '';

  add(text: string): void {
    if (this.#text.length < charactersMax)
      this.#text += `${text.slice(0, charactersMax - this.#text.length)}\n`;
  }

  /**
   * Returns the failure that the strays mean for an answer that ends. undefined: the answer has a finish reason, or it
   * failed and the strays do not say why.
   */
  failureOf(last: LastPart): StreamPart | undefined {
    if (last.type === 'finish' && last.nativeReason !== undefined) return undefined;
    const body = asObject(parseJson(this.#text));
    const told = body ? toldFailure(body) : errorObject(this.#text);
    const meant = openAiErrorWord(told ?? {});
    const isKnown = meant.code !== 'provider_unavailable' || meant.providerCode !== undefined;
    if (isKnown) return { type: 'error', ...meant, usage: last.usage };
    return last.type === 'finish' ? malformedPart(last.usage) : undefined;
  }
}
