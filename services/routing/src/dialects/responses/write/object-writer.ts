import type { StreamPart } from '@sluice/inference';
import type { AnswerHead, WholeWriter, Settlement } from '../../dialect.ts';
import { advanceResponse, beginSilent, finalResponse, type ResponseState } from './events.ts';
import { headOf } from './response-head.ts';
import type { RepeatedRequest } from './response-object.ts';

/** Writes an answer as one response object. */
export class ObjectWriter implements WholeWriter {
  readonly headers = { 'content-type': 'application/json; charset=utf-8' };
  #state: ResponseState;

  constructor(head: AnswerHead, request: RepeatedRequest) {
    this.#state = beginSilent(...headOf(head, request));
  }

  get status(): WholeWriter['status'] {
    return this.#state.outcome?.status;
  }

  write(parts: readonly StreamPart[]): void {
    for (const part of parts) [this.#state] = advanceResponse(this.#state, part);
  }

  end(settlement: Settlement): string {
    return JSON.stringify(finalResponse(this.#state, settlement));
  }
}
