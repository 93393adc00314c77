import assert from 'node:assert/strict';
import type { Logprob } from '@sluice/inference';
import type { CallDelta, Delta, ReasoningDetail, ToldDelta } from './delta.ts';

/** Adds deltas up to the message of a whole completion, as a client does with a stream. */
export class Message {
  #content = '';
  #refusal = '';
  #reasoning = '';
  readonly #details: ReasoningDetail[] = [];
  readonly #calls: CallDelta[] = [];
  #functionCall: { readonly name: string; readonly arguments: string } | undefined;
  readonly #annotations: NonNullable<Delta['annotations']>[number][] = [];
  readonly #images: NonNullable<Delta['images']>[number][] = [];
  readonly #logprobs: Logprob[] = [];

  add({ delta, logprobs }: ToldDelta): void {
    this.#content += delta.content ?? '';
    this.#refusal += delta.refusal ?? '';
    this.#reasoning += delta.reasoning ?? '';
    for (const detail of delta.reasoning_details ?? []) this.#addDetail(detail);
    for (const call of delta.tool_calls ?? []) this.#addCall(call);
    if (delta.function_call) {
      const { name = this.#functionCall?.name ?? '', arguments: more } = delta.function_call;
      this.#functionCall = { name, arguments: (this.#functionCall?.arguments ?? '') + more };
    }
    this.#annotations.push(...(delta.annotations ?? []));
    this.#images.push(...(delta.images ?? []));
    this.#logprobs.push(...(logprobs ?? []));
  }

  /** `message` of a choice. */
  body(): object {
    const hasCalls = this.#calls.length > 0 || this.#functionCall !== undefined;
    const isSilent = this.#content === '' && (hasCalls || this.#refusal !== '');
    return {
      role: 'assistant',
      content: isSilent ? null : this.#content,
      refusal: this.#refusal === '' ? null : this.#refusal,
      ...(this.#reasoning !== '' && { reasoning: this.#reasoning }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details }),
      ...(this.#calls.length > 0 && {
        tool_calls: this.#calls.map(({ index: _index, ...call }) => call),
      }),
      ...(this.#functionCall && { function_call: this.#functionCall }),
      ...(this.#annotations.length > 0 && { annotations: this.#annotations }),
      ...(this.#images.length > 0 && { images: this.#images }),
    };
  }

  /** `logprobs` of a choice. */
  logprobs(): object | null {
    return this.#logprobs.length === 0 ? null : { content: this.#logprobs, refusal: null };
  }

  #addDetail(detail: ReasoningDetail): void {
    const at = this.#details.findIndex(
      ({ type, index }) => type === detail.type && index === detail.index,
    );
    const known = this.#details[at];
    if (!known) this.#details.push(detail);
    else this.#details[at] = joined(known, detail);
  }

  #addCall(call: CallDelta): void {
    const known = this.#calls[call.index];
    if (!known) return void this.#calls.push(call);
    if (known.custom && call.custom) {
      const input = known.custom.input + call.custom.input;
      this.#calls[call.index] = { ...known, custom: { ...known.custom, input } };
      return;
    }
    assert(known.function && call.function, 'invariant: a call stays of its kind');
    const text = known.function.arguments + call.function.arguments;
    this.#calls[call.index] = { ...known, function: { ...known.function, arguments: text } };
  }
}

function joined(known: ReasoningDetail, more: ReasoningDetail): ReasoningDetail {
  if (known.type === 'reasoning.text' && more.type === 'reasoning.text') {
    const text = (known.text ?? '') + (more.text ?? '');
    return { ...known, ...more, ...(text !== '' && { text }) };
  }
  if (known.type === 'reasoning.summary' && more.type === 'reasoning.summary')
    return { ...known, summary: known.summary + more.summary };
  return more;
}
