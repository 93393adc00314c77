import type { AnswerPart, LastPart } from '@sluice/inference';
import type { AnswerHead, SentBody, Settlement, StreamWriter } from '../../dialect.ts';
import type { ResponseEvent } from './event.ts';
import {
  advanceResponse,
  beginEvents,
  beginSilent,
  endResponse,
  type ResponseState,
  servedBy,
  reportBodies,
} from './events.ts';
import { headOf } from './response-head.ts';
import { failureOf } from './outcome.ts';
import type { RepeatedRequest } from './response-object.ts';
import { doneBytes, keepAliveBytes, sseHeaders } from '../../answer/sse.ts';
import { errorEventBytes, SseEncoder } from './sse.ts';

const nothing = new Uint8Array();

/** Writes an answer as events, from `response.created` to `[DONE]`. */
export class EventWriter implements StreamWriter {
  readonly headers = sseHeaders;
  readonly keepAlive = keepAliveBytes;
  readonly #encoder = new SseEncoder();
  readonly #state: ResponseState;

  constructor(head: AnswerHead, request: RepeatedRequest) {
    this.#state = beginSilent(...headOf(head, request));
  }

  get status(): StreamWriter['status'] {
    return this.#state.outcome?.status;
  }

  begin(sent: readonly SentBody[]): Uint8Array {
    return this.#bytes(beginEvents(this.#state, sent));
  }

  report(sent: readonly SentBody[]): Uint8Array {
    return this.#bytes(reportBodies(this.#state, sent));
  }

  servedBy(model: string): void {
    servedBy(this.#state, model);
  }

  write(parts: readonly AnswerPart[]): Uint8Array {
    let text = '';
    for (const part of parts) text += this.#encoder.text(advanceResponse(this.#state, part));
    return text === '' ? nothing : Buffer.from(text);
  }

  end(settlement: Settlement): Uint8Array {
    const events = endResponse(this.#state, settlement);
    return Buffer.concat([this.#bytes(events), doneBytes]);
  }

  abort(failure: Extract<LastPart, { type: 'error' }>): Uint8Array {
    const { nextSequenceNumber } = this.#state;
    return Buffer.concat([errorEventBytes(failureOf(failure), nextSequenceNumber), doneBytes]);
  }

  #bytes(events: readonly ResponseEvent[]): Uint8Array {
    return events.length === 0 ? nothing : Buffer.from(this.#encoder.text(events));
  }
}
