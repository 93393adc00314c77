import type { NatsConnection } from '@nats-io/transport-node';
import { nanosPerMs } from './streams.ts';

/** What the client's own answers go through. It is part of the client, but not of what its types tell. */
interface Commands {
  readonly protocol: { sendCommand(command: string): void };
}

/** What the broker is told of deliveries. */
export const acknowledged = '+ACK';
/** They do not come again yet. */
export const inProgress = '+WPI';
/** They come again, after a pause where one is given. */
export function refused(pauseMs = 0): string {
  return pauseMs > 0 ? `-NAK {"delay":${String(Math.round(pauseMs * nanosPerMs))}}` : '-NAK';
}

/**
 * Answers deliveries of this connection, all in one piece: the client makes an object, a text, its bytes and
 * three places in a list for each, and wants each message with its bytes for it.
 */
export function answer(
  connection: NatsConnection,
  deliveries: readonly { readonly reply: string }[],
  what: string,
): void {
  if (deliveries.length === 0) return;
  let commands = '';
  for (const { reply } of deliveries)
    commands += `PUB ${reply} ${String(what.length)}\r\n${what}\r\n`;
  (connection as NatsConnection & Commands).protocol.sendCommand(commands);
}
