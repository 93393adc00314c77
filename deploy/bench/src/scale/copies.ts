import { randomUUID } from 'node:crypto';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import type { EventMetadata, RecordedEvent } from '@sluice/es';

/** A copy of a real event: what differs in it, and the stream that it begins. */
export interface Copy {
  readonly stream: string;
  readonly data: object;
}

const connections = 8;
const inFlightPerConnection = 12;

/** The one event of a stream, as the product itself wrote it. */
export async function firstEventOf(url: string, stream: string): Promise<RecordedEvent> {
  const store = await connectEventStore({ url });
  try {
    for await (const event of store.read(stream)) return event;
    throw new Error(`There is no ${stream}`);
  } finally {
    await store.stop();
  }
}

/**
 * Begins so many streams with copies of an event. What the API would make of as many requests is in the log
 * in a tenth of the time.
 */
export async function appendCopies(
  url: string,
  { type, metadata }: RecordedEvent,
  count: number,
  copyOf: (index: number) => Copy,
): Promise<void> {
  const stores = await Promise.all(
    Array.from({ length: connections }, () => connectEventStore({ url })),
  );
  let next = 0;
  const write = async (store: ConnectedEventStore) => {
    for (let index = next++; index < count; index = next++) {
      const { stream, data } = copyOf(index);
      const commandId = randomUUID();
      const about = metadata as EventMetadata;
      const own = { ...about, commandId, $causationId: commandId };
      const event = { id: randomUUID(), type, data, metadata: own };
      await store.append(stream, [event], 'no_stream');
    }
  };
  try {
    const writers = stores.flatMap((store) =>
      Array.from({ length: inFlightPerConnection }, () => write(store)),
    );
    await Promise.all(writers);
  } finally {
    await Promise.all(stores.map((store) => store.stop()));
  }
}
