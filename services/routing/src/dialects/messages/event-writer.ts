import type { AnswerPart, LastPart } from '@sluice/inference';
import { sseHeaders } from '../answer/sse.ts';
import type { AnswerHead, Settlement, StreamWriter } from '../dialect.ts';
import { Answer } from './answer.ts';
import type { BlockStep } from './blocks.ts';
import { errorOf, type Stop, withAlignment, type WireError } from './stop.ts';
import { messageTokens, messageUsage, noTokens } from './wire-usage.ts';

const nothing = new Uint8Array();

/** Writes an answer as events, from `message_start` to `message_stop`. */
export class EventWriter implements StreamWriter {
  readonly headers = sseHeaders;
  readonly keepAlive: Uint8Array = Buffer.from(eventText({ type: 'ping' }));
  #head: AnswerHead;
  readonly #answer = new Answer();
  #hasStarted = false;
  /** The number of the next block, or of the one that is open. */
  #index = 0;
  #stop: Stop | undefined;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  get status(): StreamWriter['status'] {
    return this.#stop?.status;
  }

  /** The first event reports the usage of the input, which is not known yet. */
  begin(): Uint8Array {
    return nothing;
  }

  /** This dialect has no place for the bodies that providers got. */
  report(): Uint8Array {
    return nothing;
  }

  servedBy(model: string): void {
    this.#head = { ...this.#head, model };
  }

  write(parts: readonly AnswerPart[]): Uint8Array {
    let text = this.#hasStarted ? '' : this.#start(parts[0]);
    for (const part of parts) for (const step of this.#answer.take(part)) text += this.#step(step);
    return Buffer.from(text);
  }

  end({ last, usage, serviceTier, serviceMetadata, alignment }: Settlement): Uint8Array {
    const { stop, steps } = this.#answer.end(last);
    this.#stop = stop;
    let text = this.#hasStarted ? '' : this.#start(undefined);
    for (const step of steps) text += this.#step(step);
    const told = serviceMetadata && { service_metadata: serviceMetadata };
    if (stop.error)
      return Buffer.from(text + this.#failed(withAlignment(stop.error, alignment), told));
    const ending = {
      type: 'message_delta',
      delta: {
        stop_reason: stop.reason,
        stop_sequence: stop.sequence,
        stop_details: stop.details,
        container: null,
      },
      usage: usage ? messageUsage(usage, serviceTier) : messageTokens(noTokens),
    };
    const stopped = { type: 'message_stop', ...told, ...(alignment && { alignment }) };
    return Buffer.from(text + eventText(ending) + eventText(stopped));
  }

  abort(failure: Extract<LastPart, { type: 'error' }>): Uint8Array {
    return Buffer.from(this.#failed(errorOf(failure)));
  }

  #failed(error: WireError, told: object = {}): string {
    return eventText({ type: 'error', error, request_id: `gen-${this.#head.name}`, ...told });
  }

  #start(first: AnswerPart | undefined): string {
    this.#hasStarted = true;
    const { name, model, inputTokens } = this.#head;
    const input = first?.type === 'response-start' ? first.inputUsage : undefined;
    const message = {
      id: `msg_${name}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      container: null,
      // Clients tell people how full the context is by this count.
      usage: messageTokens(input ?? { ...noTokens, inputTokens }),
    };
    return eventText({ type: 'message_start', message });
  }

  #step(step: BlockStep): string {
    const index = this.#index;
    switch (step.step) {
      case 'start':
        return eventText({ type: 'content_block_start', index, content_block: step.block });
      case 'delta':
        return eventText({ type: 'content_block_delta', index, delta: step.delta });
      case 'stop':
        this.#index += 1;
        return eventText({ type: 'content_block_stop', index });
    }
  }
}

function eventText(event: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
