import type { AnswerPart, LastPart } from '@sluice/inference';
import type { AnswerHead, SentBody, Settlement, StreamWriter } from '../dialect.ts';
import { doneBytes, keepAliveBytes, sseHeaders } from '../answer/sse.ts';
import type { ToldDelta } from './delta.ts';
import { Deltas } from './deltas.ts';
import { errorOf, type Finish, finishOf, withAlignment, type WireError } from './finish.ts';
import type { AnswerForm } from './parse-request.ts';
import { chatUsage } from './wire-usage.ts';

const nothing = new Uint8Array();

/**
 * Writes an answer as chunks, up to `[DONE]`. The last chunk has the usage and no choice, as at OpenAI: some clients
 * count the usage of a chunk with a choice twice. An error follows alone, since a client takes an event with choices
 * for an ordinary chunk and does not see the error in it (decision 101).
 */
export class ChunkWriter implements StreamWriter {
  readonly headers = sseHeaders;
  readonly keepAlive = keepAliveBytes;
  readonly #head: AnswerHead;
  readonly #deltas: Deltas;
  /** The beginning of every chunk, up to its choices. */
  #opening: string;
  #finish: Finish | undefined;

  constructor(head: AnswerHead, form: AnswerForm) {
    this.#head = head;
    this.#deltas = new Deltas(form, head.name);
    this.#opening = openingOf(head);
  }

  get status(): StreamWriter['status'] {
    return this.#finish?.status;
  }

  begin(sent: readonly SentBody[]): Uint8Array {
    const first = this.#chunk({ delta: { role: 'assistant', content: '' } });
    return Buffer.concat([this.report(sent), Buffer.from(first)]);
  }

  report(sent: readonly SentBody[]): Uint8Array {
    if (sent.length === 0) return nothing;
    const chunks = sent.map((body) =>
      this.#rest({ choices: [], debug: { echo_upstream_body: body } }),
    );
    return Buffer.from(chunks.join(''));
  }

  servedBy(model: string): void {
    this.#opening = openingOf({ ...this.#head, model });
  }

  write(parts: readonly AnswerPart[]): Uint8Array {
    let text = '';
    for (const part of parts) for (const told of this.#deltas.of(part)) text += this.#chunk(told);
    return Buffer.from(text);
  }

  end({ last: ended, usage, serviceTier, serviceMetadata, alignment }: Settlement): Uint8Array {
    const finish = finishOf(ended, this.#deltas);
    this.#finish = finish;
    const error = finish.error && withAlignment(finish.error, alignment);
    const choices = [endedChoice(finish)];
    const books = {
      ...(usage && { usage: chatUsage(usage) }),
      ...(serviceTier !== undefined && { service_tier: serviceTier }),
      ...(serviceMetadata && { service_metadata: serviceMetadata }),
      ...(alignment && { alignment }),
    };
    const last = this.#rest({ choices }) + this.#rest({ choices: [], ...books });
    const broken = error ? errorEvent(error) : '';
    return Buffer.concat([Buffer.from(last + broken), doneBytes]);
  }

  abort(failure: Extract<LastPart, { type: 'error' }>): Uint8Array {
    const choice = endedChoice({ reason: 'error', nativeReason: null });
    const last = this.#rest({ choices: [choice] }) + errorEvent(errorOf(failure));
    return Buffer.concat([Buffer.from(last), doneBytes]);
  }

  #chunk({ delta, logprobs }: ToldDelta): string {
    const told = logprobs
      ? `,"logprobs":{"content":${JSON.stringify(logprobs)},"refusal":null}`
      : '';
    return (
      `${this.#opening}"choices":[{"index":0,"delta":${JSON.stringify(delta)},` +
      `"finish_reason":null,"native_finish_reason":null${told}}]}\n\n`
    );
  }

  #rest(fields: object): string {
    return `${this.#opening}${JSON.stringify(fields).slice(1)}\n\n`;
  }
}

/** Returns the choice of the chunk that ends the answer. */
function endedChoice({ reason, nativeReason }: Pick<Finish, 'reason' | 'nativeReason'>): object {
  return { index: 0, delta: {}, finish_reason: reason, native_finish_reason: nativeReason };
}

/** Returns the event that every client raises. Some look for these first bytes. */
function errorEvent(error: WireError): string {
  return `data: ${JSON.stringify({ error })}\n\n`;
}

function openingOf({ name, createdAt, model }: AnswerHead): string {
  const head = { id: `gen-${name}`, object: 'chat.completion.chunk', created: createdAt, model };
  return `data: ${JSON.stringify(head).slice(0, -1)},`;
}
