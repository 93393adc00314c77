import { Fault } from '@sluice/errors';
import type { BusMessage } from './bus.ts';

/** The broker's own default ceiling. */
export const messageBytesMax = 1_048_576;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Message → UTF-8 JSON. Throws payload_too_large: the broker would end the connection. */
export function encode(message: object): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(message));
  if (bytes.length > messageBytesMax) throw new Fault('payload_too_large');
  return bytes;
}

export function toMessage(
  received: Pick<BusMessage, 'subject' | 'id' | 'bytes' | 'redelivered'>,
): BusMessage {
  return { ...received, data: decode(received.bytes) };
}

function decode(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(strictUtf8.decode(bytes));
  } catch {
    return undefined;
  }
}
