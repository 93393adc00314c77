import type { JsMsg } from '@nats-io/jetstream';
import type { BusMessage, ConsumeOptions } from './bus.ts';
import { parse, readerOf, textOf } from './message.ts';

/** What is kept of a message until its batch is handled. */
export interface Delivery<Read> {
  /** Its place in the stream, the same in each copy. */
  readonly sequence: number;
  /** Where the broker is told what became of it: of its copies, the one that came last. */
  reply: string;
  /** Of its data. */
  readonly bytes: number;
  readonly read: Read;
}

/**
 * Takes what is wanted of each message and lets go of the message: as long as it is there, so are all bytes of the
 * read from the network that it came with.
 */
export function deliveries<Read>(
  options: ConsumeOptions<Read>,
): (message: JsMsg) => Delivery<Read> {
  const read = readerOf(options);
  const isKept = options.read === undefined;
  return (message) => ({
    sequence: message.seq,
    reply: replyOf(message),
    bytes: message.data.length,
    read: read(isKept ? new KeptMessage(message) : new PassingMessage(message)),
  });
}

/** The client has it, but not in what its types tell. */
export function replyOf(message: JsMsg): string {
  return (message as JsMsg & { readonly reply: string }).reply;
}

/** Reads what somebody asks for, while it is there. */
class PassingMessage implements BusMessage {
  readonly #message: JsMsg;

  constructor(message: JsMsg) {
    this.#message = message;
  }

  get subject(): string {
    return this.#message.subject;
  }

  get id(): string | undefined {
    return idOf(this.#message);
  }

  get data(): unknown {
    return parse(textOf(this.bytes));
  }

  get bytes(): Uint8Array {
    return this.#message.data;
  }

  get redelivered(): boolean {
    return this.#message.redelivered;
  }
}

/** A text takes no memory outside of the heap, and what it was made of needs none any more. */
class KeptMessage implements BusMessage {
  readonly subject: string;
  readonly id: string | undefined;
  readonly redelivered: boolean;
  readonly #text: string | undefined;
  /** Of what is no text. */
  readonly #bytes: Uint8Array | undefined;

  constructor(message: JsMsg) {
    const { data } = message;
    this.subject = message.subject;
    this.id = idOf(message);
    this.redelivered = message.redelivered;
    this.#text = textOf(data);
    this.#bytes = this.#text === undefined ? Uint8Array.from(data) : undefined;
  }

  get data(): unknown {
    return parse(this.#text);
  }

  get bytes(): Uint8Array {
    return this.#bytes ?? Buffer.from(this.#text ?? '');
  }
}

function idOf({ headers }: JsMsg): string | undefined {
  return headers?.get('Nats-Msg-Id') || undefined;
}
