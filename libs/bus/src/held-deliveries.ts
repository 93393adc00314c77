import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { acknowledged, answer, inProgress } from './acknowledge.ts';
import { batchLength } from './batch-length.ts';
import type { ConsumeOptions } from './bus.ts';
import { type Delivery, deliveries, replyOf } from './delivery.ts';

/** Every delivery that a consumer has and has not answered yet: those that wait and those of the batch in hand. */
export interface HeldDeliveries<Read> {
  readonly waitingCount: number;
  /** Takes what the broker delivers. Drops a copy of what is held, or of what was acknowledged lately. */
  take(message: JsMsg): void;
  /** Takes the next batch out of what waits; it stays held until it is answered. */
  nextBatch(): readonly Delivery<Read>[];
  /** Tells the broker what became of deliveries, which are not held any more. */
  answer(batch: readonly Delivery<Read>[], what: string): void;
  answerWaiting(what: string): void;
  /** Tells the broker of all that is held that it does not come again yet. */
  keepAlive(): void;
}

/**
 * Keeps deliveries by their place in the stream. Without one keep-alive for all of them, the wait of what is
 * queued behind short batches runs out: the broker queues copies behind, whose wait runs out in turn.
 */
export function heldDeliveries<Read>(
  connection: NatsConnection,
  options: ConsumeOptions<Read>,
  heldMax: number,
): HeldDeliveries<Read> {
  const deliver = deliveries(options);
  const waiting: Delivery<Read>[] = [];
  const held = new Map<number, Delivery<Read>>();
  /** The broker has no more copies under way than it has deliveries out. */
  const done = new Set<number>();
  const remember = (sequence: number) => {
    done.add(sequence);
    if (done.size <= heldMax) return;
    const [oldest] = done;
    if (oldest !== undefined) done.delete(oldest);
  };
  const leave = (batch: readonly Delivery<Read>[], what: string) => {
    answer(connection, batch, what);
    for (const { sequence } of batch) {
      held.delete(sequence);
      if (what === acknowledged) remember(sequence);
    }
  };
  return {
    get waitingCount() {
      return waiting.length;
    },
    take(message) {
      const { seq } = message;
      const first = held.get(seq);
      if (first) first.reply = replyOf(message);
      else if (message.redelivered && done.has(seq))
        answer(connection, [{ reply: replyOf(message) }], acknowledged);
      else {
        const delivery = deliver(message);
        held.set(seq, delivery);
        waiting.push(delivery);
      }
    },
    nextBatch: () =>
      waiting.splice(
        0,
        batchLength(waiting, ({ bytes }) => bytes, options),
      ),
    answer: leave,
    answerWaiting: (what) => leave(waiting.splice(0), what),
    keepAlive: () => answer(connection, [...held.values()], inProgress),
  };
}
