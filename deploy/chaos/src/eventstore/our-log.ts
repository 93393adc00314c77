import { connectEventStore } from '@sluice/eventstore';
import type { RecordedEvent } from '@sluice/es';
import { streamPrefixes } from '../crash/witness.ts';
import { readLog } from '../read-log.ts';

/** How the streams of the installation under test begin. */
export const namespace = 'sluice';
/** How the types of events begin that the test appends in the name of others. */
export const foreignType = 'Foreign';

/** The events of the installation, in the order of the log and under the names that services use. */
export async function readOurLog(url: string): Promise<readonly RecordedEvent[]> {
  const store = await connectEventStore({ url });
  try {
    const prefixes = streamPrefixes.flatMap((prefix) => [prefix, `${namespace}.${prefix}`]);
    const log = await readLog(store, prefixes);
    return log
      .filter(({ type }) => !type.startsWith(foreignType))
      .map((event) => ({ ...event, stream: event.stream.replace(/^sluice\./, '') }));
  } finally {
    await store.stop();
  }
}
