import { elementAt } from '../element-at.ts';
import type { EventLogStore } from './event-log-store.ts';
import { loadEvents, type StoredEvent } from './stored-event.ts';
import { viewStream } from './stream-view.ts';

/** An event for a reader: the event, the link that led to it, or a link whose target is gone. */
export interface ResolvedEvent {
  readonly event: StoredEvent | undefined;
  readonly link: StoredEvent | undefined;
}

const linkType = '$>';
const targetPattern = /^(\d{1,15})@(.+)$/s;

export function unresolved(event: StoredEvent): ResolvedEvent {
  return { event, link: undefined };
}

/**
 * Follows a link, `<revision>@<stream>`, as far as the target can still be seen. What cannot be parsed is an event like
 * any other.
 */
export async function resolveLink(
  store: EventLogStore,
  event: StoredEvent,
): Promise<ResolvedEvent> {
  if (event.record.type !== linkType) return unresolved(event);
  const [, revision, stream] = targetPattern.exec(event.record.data.toString('utf8')) ?? [];
  if (stream === undefined) return unresolved(event);
  const entry = store.index.stream(stream);
  const view = viewStream(store.index, entry, store.nowMs());
  const target = Number(revision);
  if (!entry || view.kind !== 'shown' || target < view.first || target > view.last)
    return { event: undefined, link: event };
  const [found] = await loadEvents(store, [elementAt(entry.ordinals, target)]);
  return { event: found, link: event };
}
