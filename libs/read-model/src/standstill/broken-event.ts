import { type EventMark, type RecordedEvent, UnreadableEvent } from '@sluice/es';

/**
 * Returns the event that is at fault. A reaction that reads the rest of a stream, or another stream, meets a broken
 * event while it applies one that is whole.
 */
export function brokenEvent({
  event,
  cause,
}: {
  readonly event: RecordedEvent;
  readonly cause?: unknown;
}): EventMark {
  return cause instanceof UnreadableEvent ? cause.event : event;
}
