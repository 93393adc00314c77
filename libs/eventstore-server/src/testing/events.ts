import { randomUUID } from 'node:crypto';
import type { ProposedEvent } from '../log/frame.ts';
import type { EventLogStore } from '../store/event-log-store.ts';
import type { ExpectedRevision } from '../store/expected-revision.ts';
import { loadEvents, type StoredEvent } from '../store/stored-event.ts';
import { idBytes } from '../store/uuid.ts';

export function anEvent(data: unknown = {}, id: string = randomUUID()): ProposedEvent {
  return {
    id: idBytes(id),
    type: 'ThingHappened',
    json: true,
    metadata: Buffer.from('{"schemaVersion":1}'),
    data: Buffer.from(JSON.stringify(data)),
  };
}

/** Appends one event whose data is the given value. */
export async function append(
  store: EventLogStore,
  stream: string,
  data: unknown,
  expected: ExpectedRevision = 'any',
) {
  return await store.append({ stream, expected, events: [anEvent(data)] });
}

/** Everything that readers may see, in log order. */
export async function everything(store: EventLogStore): Promise<readonly StoredEvent[]> {
  return await loadEvents(store, [...Array(store.index.visible).keys()]);
}

/** Returns all that `append` stored, in log order. */
export async function everyData(store: EventLogStore): Promise<readonly unknown[]> {
  const events = await everything(store);
  return events.map(({ record }) => JSON.parse(record.data.toString('utf8')) as unknown);
}
