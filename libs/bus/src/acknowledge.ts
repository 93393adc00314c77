import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/** What the client's own acknowledgements go through. It is part of the client, but not of what its types tell. */
interface Commands {
  readonly protocol: { sendCommand(command: string): void };
}

/**
 * Acknowledges deliveries of this connection, all in one piece: the client makes an object, a text, its bytes and
 * three places in a list for each.
 */
export function acknowledge(connection: NatsConnection, deliveries: readonly JsMsg[]): void {
  let commands = '';
  for (const delivery of deliveries) {
    const { reply } = delivery as JsMsg & { readonly reply: string };
    commands += `PUB ${reply} 4\r\n+ACK\r\n`;
  }
  (connection as NatsConnection & Commands).protocol.sendCommand(commands);
}
