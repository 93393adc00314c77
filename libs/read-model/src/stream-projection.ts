import type { Event, EventCodec, RecordedEvent } from '@sluice/es';
import { eachInOrder } from './each-in-order.ts';
import type { Projection } from './projection.ts';
import type { Queryable } from './statement.ts';

/**
 * Returns the projection of the streams of one aggregate. `apply` must send all statements of an event before it waits
 * for anything (`eachInOrder`).
 */
export function streamProjection<E extends Event>(
  events: EventCodec<E>,
  facts: Pick<Projection, 'projection' | 'version' | 'tables'>,
  apply: (
    transaction: Queryable,
    event: E,
    stream: string,
    recorded: Pick<RecordedEvent, 'position'>,
  ) => Promise<void>,
): Projection {
  return {
    ...facts,
    streamPrefixes: [events.streamPrefix],
    apply: (transaction, recorded) =>
      eachInOrder(recorded, (one) => apply(transaction, events.decode(one), one.stream, one)),
  };
}
