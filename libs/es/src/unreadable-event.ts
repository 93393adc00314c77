import { Fault } from '@sluice/errors';
import type { EventMark, RecordedEvent } from './event-store.ts';

/**
 * An event of ours that this program cannot read: it has an unknown type or version, or `evolve` fails on its data. Its
 * stream takes no command, since a state without the event would be wrong.
 */
export class UnreadableEvent extends Fault {
  readonly event: EventMark;

  constructor({ id, type, stream, position }: RecordedEvent, cause: unknown) {
    super('stream_unreadable', { cause, metadata: { event_id: id, event_type: type } });
    this.event = { id, type, stream, position };
  }
}

/** Returns what `read` makes of the event. Throws UnreadableEvent. */
export function reading<Result>(event: RecordedEvent, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new UnreadableEvent(event, error);
  }
}
