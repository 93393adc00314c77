import { isUtf8 } from 'node:buffer';
import { Fault } from '@sluice/errors';
import type { BusMessage } from './bus.ts';

/** The broker's own default ceiling. */
export const messageBytesMax = 1_048_576;

/** Message → UTF-8 JSON; bytes are JSON already. Throws payload_too_large: the broker would end the connection. */
export function encode(message: object): Uint8Array {
  const bytes = message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message));
  if (bytes.length > messageBytesMax) throw new Fault('payload_too_large');
  return bytes;
}

export function toMessage(
  received: Pick<BusMessage, 'subject' | 'id' | 'bytes' | 'redelivered'>,
): BusMessage {
  return { ...received, data: decode(received.bytes) };
}

/** undefined: the bytes are no UTF-8 JSON text. */
export function decode(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  // What is no UTF-8 was read as this character; a text of ASCII is not even searched for it.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
