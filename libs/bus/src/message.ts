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

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** undefined: the bytes are no UTF-8 JSON text. */
export function decode(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
