import { randomUUID } from 'node:crypto';
import { defaultNamespace, type EventMetadata, type RecordedEvent, streamOnDisk } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { openEventLog } from '@sluice/eventstore-server';

/** A copy of a real event: what differs in it, and the stream that it begins. */
export interface Copy {
  readonly stream: string;
  readonly data: object;
}

/** They are written together and flushed once. */
const writtenTogether = 1_024;

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
 * Begins so many streams with copies of an event, in the log of a product that does not run. It finds what the API
 * would have made of as many requests, in a hundredth of the time.
 */
export async function writeCopies(
  directory: string,
  { type, metadata }: RecordedEvent,
  count: number,
  copyOf: (index: number) => Copy,
): Promise<void> {
  const log = await openEventLog({ directory });
  try {
    for (let from = 0; from < count; from += writtenTogether) {
      const size = Math.min(writtenTogether, count - from);
      await Promise.all(
        Array.from({ length: size }, (_, at) => {
          const { stream, data } = copyOf(from + at);
          const commandId = randomUUID();
          const about = metadata as EventMetadata;
          const own = { ...about, commandId, $causationId: commandId };
          return log.begin(streamOnDisk(defaultNamespace, stream), {
            id: randomUUID(),
            type,
            data,
            metadata: own,
          });
        }),
      );
    }
  } finally {
    await log.close();
  }
}
