import type { ReadResp } from '@sluice/protos/event_store/client/streams';
import type { FaultSwitches } from '../fault-switches.ts';
import type { EventLogStore } from '../store/event-log-store.ts';
import { resolveLink, unresolved } from '../store/link.ts';
import { loadEvents, pages } from '../store/stored-event.ts';
import type { ReadRequest } from './read-request.ts';
import { eventMessage } from './recorded-event.ts';
import { invalidPosition } from './refusal.ts';
import type { Send } from './sender.ts';

/** One served read: the store, what was asked, where answers go, and when to stop. */
export interface Reading {
  readonly store: EventLogStore;
  readonly faults: FaultSwitches;
  readonly request: ReadRequest;
  readonly send: Send<ReadResp>;
  readonly signal: AbortSignal;
}

/**
 * Returns the first ordinal at or behind a place in `$all`: the number of all visible events for a place beyond the
 * end. Refuses a position inside the log at which no event lies.
 */
export function ordinalOf(store: EventLogStore, from: ReadRequest['from']): number {
  const { index } = store;
  if (from === 'start' || from === 0) return 0;
  if (from === 'end' || from >= store.endPosition) return index.visible;
  const ordinal = index.ordinalFrom(from);
  if (ordinal >= index.visible || index.positionAt(ordinal) !== from) throw invalidPosition();
  return ordinal;
}

/** Loads page by page and sends in the order given. */
export async function sendAll(reading: Reading, ordinals: Iterable<number>): Promise<void> {
  const { store, request, send } = reading;
  for (const page of pages(store.index, ordinals)) {
    const ascending = request.backwards ? page.toReversed() : page;
    const events = await loadEvents(store, ascending);
    for (const event of request.backwards ? events.toReversed() : events) {
      const resolved = request.resolveLinks ? await resolveLink(store, event) : unresolved(event);
      await send(eventMessage(resolved, request.uuids));
    }
  }
}
