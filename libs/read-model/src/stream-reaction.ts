import type { Event, EventCodec, RecordedEvent } from '@sluice/es';
import type { Projection } from './projection.ts';
import type { Queryable } from './statement.ts';

/**
 * Returns a reaction to the events of one aggregate, one after the other in the order of the log. The checkpoint moves
 * when `react` has resolved for all events of a batch, in the transaction that it gets.
 */
export function streamReaction<E extends Event>(
  events: EventCodec<E>,
  facts: Pick<Projection, 'projection' | 'version'>,
  react: (event: E, recorded: RecordedEvent, transaction: Queryable) => Promise<unknown>,
): Projection {
  return {
    ...facts,
    streamPrefixes: [events.streamPrefix],
    tables: [],
    async apply(transaction, recorded) {
      for (const one of recorded) await react(events.decode(one), one, transaction);
    },
  };
}
