import type { AnswerPart } from '@sluice/inference';
import type { AnswerHead, Settlement, WholeWriter } from '../dialect.ts';
import { Deltas } from './deltas.ts';
import { type Finish, finishOf, withAlignment } from './finish.ts';
import { Message } from './message.ts';
import type { AnswerForm } from './parse-request.ts';
import { chatUsage } from './wire-usage.ts';

/** Writes an answer as one completion. */
export class CompletionWriter implements WholeWriter {
  readonly headers = { 'content-type': 'application/json; charset=utf-8' };
  #head: AnswerHead;
  readonly #deltas: Deltas;
  readonly #message = new Message();
  #finish: Finish | undefined;

  constructor(head: AnswerHead, form: AnswerForm) {
    this.#head = head;
    this.#deltas = new Deltas(form, head.name);
  }

  get status(): WholeWriter['status'] {
    return this.#finish?.status;
  }

  /** Clients of this format take a choice with 200 for a whole answer and do not look for an error beside it. */
  get httpStatus(): number | undefined {
    return this.#finish?.error?.code;
  }

  servedBy(model: string): void {
    this.#head = { ...this.#head, model };
  }

  write(parts: readonly AnswerPart[]): void {
    for (const part of parts) for (const told of this.#deltas.of(part)) this.#message.add(told);
  }

  end({ last, usage, serviceTier, serviceMetadata, alignment }: Settlement): string {
    const { name, createdAt, model } = this.#head;
    this.#finish = finishOf(last, this.#deltas);
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
      ...(error && { error: withAlignment(error, alignment) }),
      ...(serviceTier !== undefined && { service_tier: serviceTier }),
      ...(serviceMetadata && { service_metadata: serviceMetadata }),
      ...(alignment && { alignment }),
    });
  }
}
