import assert from 'node:assert/strict';
import type { StreamPart } from '@sluice/inference';
import type { AnswerHead, Settlement, WholeWriter } from '../dialect.ts';
import { Deltas } from './deltas.ts';
import { type Finish, finishOf } from './finish.ts';
import { Message } from './message.ts';
import type { AnswerForm } from './parse-request.ts';
import { chatUsage } from './wire-usage.ts';

/** Writes an answer as one completion. */
export class CompletionWriter implements WholeWriter {
  readonly headers = { 'content-type': 'application/json; charset=utf-8' };
  readonly #head: AnswerHead;
  readonly #form: AnswerForm;
  readonly #deltas: Deltas;
  readonly #message = new Message();
  #finish: Finish | undefined;

  constructor(head: AnswerHead, form: AnswerForm) {
    this.#head = head;
    this.#form = form;
    this.#deltas = new Deltas(form, head.name);
  }

  get status(): WholeWriter['status'] {
    return this.#finish?.status;
  }

  /** Clients of this format take a choice with 200 for a whole answer and do not look for an error beside it. */
  get httpStatus(): number | undefined {
    return this.#finish?.error?.code;
  }

  write(parts: readonly StreamPart[]): void {
    for (const part of parts) {
      for (const told of this.#deltas.of(part)) this.#message.add(told);
      if (part.type !== 'finish' && part.type !== 'error') continue;
      const { hasOutput, hasCalls } = this.#deltas;
      this.#finish ??= finishOf(part, { hasOutput, hasCalls, isLegacy: this.#form.isLegacy });
    }
  }

  end({ usage, serviceTier, serviceMetadata }: Settlement): string {
    const { name, createdAt, model } = this.#head;
    assert(this.#finish, 'invariant: an answer has its last part before it ends');
    const { reason, nativeReason, error } = this.#finish;
    return JSON.stringify({
      id: `gen-${name}`,
      object: 'chat.completion',
      created: createdAt,
      model,
      choices: [
        {
          index: 0,
          message: this.#message.body(),
          finish_reason: reason,
          native_finish_reason: nativeReason,
          logprobs: this.#message.logprobs(),
        },
      ],
      // Strict clients require the key.
      system_fingerprint: null,
      ...(usage && { usage: chatUsage(usage) }),
      ...(error && { error }),
      ...(serviceTier !== undefined && { service_tier: serviceTier }),
      ...(serviceMetadata && { service_metadata: serviceMetadata }),
    });
  }
}
