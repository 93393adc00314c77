import type { AnswerPart } from '@sluice/inference';
import type { AnswerHead, WholeWriter, Settlement } from '../../dialect.ts';
import {
  advanceResponse,
  beginSilent,
  finalResponse,
  type ResponseState,
  servedBy,
  settle,
} from './events.ts';
import { headOf } from './response-head.ts';
import type { RepeatedRequest } from './response-object.ts';

/** Writes an answer as one response object. */
export class ObjectWriter implements WholeWriter {
  readonly headers = { 'content-type': 'application/json; charset=utf-8' };
  readonly #state: ResponseState;

  constructor(head: AnswerHead, request: RepeatedRequest) {
    this.#state = beginSilent(...headOf(head, request));
  }

  get status(): WholeWriter['status'] {
    return this.#state.outcome?.status;
  }

  servedBy(model: string): void {
    servedBy(this.#state, model);
  }

  write(parts: readonly AnswerPart[]): void {
    for (const part of parts) advanceResponse(this.#state, part);
  }

  end(settlement: Settlement): string {
    settle(this.#state, settlement.last);
    return JSON.stringify(finalResponse(this.#state, settlement));
  }
}
