import type { JsMsg } from '@nats-io/jetstream';
import type { ConsumeOptions } from './bus.ts';
import { readerOf, toMessage } from './message.ts';

/** A message that the consumer holds until its batch is handled. */
export interface Delivery<Read> {
  /** The place of the message in the stream. It is the same in each copy. */
  readonly sequence: number;
  /** The copy that came last: its answer counts. */
  message: JsMsg;
  /** The length of its data. */
  readonly bytes: number;
  readonly read: Read;
}

/** Reports the outcome of a delivery to the broker. */
export type Outcome = (message: JsMsg) => void;

export const acknowledged: Outcome = (message) => message.ack();
/** The delivery does not come again yet. */
export const inProgress: Outcome = (message) => message.working();
/** The delivery comes again, after a pause where one is given. */
export const refused =
  (pauseMs = 0): Outcome =>
  (message) =>
    message.nak(pauseMs);

/** Returns a function that reads each message once, as the consumer wants it. */
export function deliveries<Read>(
  options: ConsumeOptions<Read>,
): (message: JsMsg) => Delivery<Read> {
  const read = readerOf(options);
  return (message) => ({
    sequence: message.seq,
    message,
    bytes: message.data.length,
    read: read(
      toMessage({
        subject: message.subject,
        id: message.headers?.get('Nats-Msg-Id') || undefined,
        bytes: message.data,
        redelivered: message.redelivered,
      }),
    ),
  });
}
