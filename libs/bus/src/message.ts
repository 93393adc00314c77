import { Fault } from '@sluice/errors';
import type { BusMessage, ConsumeOptions } from './bus.ts';

/** The broker's own default ceiling. */
export const messageBytesMax = 1_048_576;

/** Encodes a message as UTF-8 JSON; bytes are JSON already. Throws payload_too_large. */
export function encode(message: object): Uint8Array {
  const bytes = message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message));
  if (bytes.length > messageBytesMax) throw new Fault('payload_too_large');
  return bytes;
}

export function toMessage(
  received: Pick<BusMessage, 'subject' | 'id' | 'bytes' | 'redelivered'>,
): BusMessage {
  return {
    ...received,
    get data() {
      return parse(textOf(received.bytes));
    },
  };
}

/** Returns the reader of a consumer: its own, or one that returns the message. */
export function readerOf<Read>({ read }: ConsumeOptions<Read>): (message: BusMessage) => Read {
  // Without a reader the type of what is read is the message.
  return read ?? ((message) => message as BusMessage & Read);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns undefined if the bytes are not UTF-8. The text has all that they had. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is not JSON. */
export function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
