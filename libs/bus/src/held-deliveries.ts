import type { JsMsg } from '@nats-io/jetstream';
import { batchLength } from './batch-length.ts';
import type { ConsumeOptions } from './bus.ts';
import { acknowledged, type Delivery, deliveries, inProgress, type Outcome } from './delivery.ts';

/** Every delivery that a consumer has and has not answered yet: those that wait and those of the batch in hand. */
export interface HeldDeliveries<Read> {
  readonly waitingCount: number;
  /** Takes what the broker delivers. Drops a copy of what is held, or of what was acknowledged lately. */
  take(message: JsMsg): void;
  /** Takes the next batch out of what waits; it stays held until it is answered. */
  nextBatch(): readonly Delivery<Read>[];
  /** Reports the outcome of deliveries to the broker, and holds them no longer. */
  answer(batch: readonly Delivery<Read>[], outcome: Outcome): void;
  answerWaiting(outcome: Outcome): void;
  /** Reports to the broker that all held deliveries are in progress. */
  keepAlive(): void;
}

/**
 * Keeps deliveries by their place in the stream. Without one keep-alive for all of them, the wait of what is
 * queued behind short batches runs out: the broker queues copies behind, whose wait runs out in turn.
 */
export function heldDeliveries<Read>(
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
  const leave = (batch: readonly Delivery<Read>[], outcome: Outcome) => {
    for (const { message, sequence } of batch) {
      tell(message, outcome);
      held.delete(sequence);
      if (outcome === acknowledged) remember(sequence);
    }
  };
  return {
    get waitingCount() {
      return waiting.length;
    },
    take(message) {
      const { seq } = message;
      const first = held.get(seq);
      if (first) first.message = message;
      else if (message.redelivered && done.has(seq)) tell(message, acknowledged);
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
    answerWaiting: (outcome) => leave(waiting.splice(0), outcome),
    keepAlive() {
      for (const { message } of held.values()) tell(message, inProgress);
    },
  };
}

/** Sends an outcome. Without a connection the broker delivers again by itself. */
function tell(message: JsMsg, outcome: Outcome): void {
  try {
    outcome(message);
  } catch {
    // The connection is closed: the wait of the delivery runs out.
  }
}
