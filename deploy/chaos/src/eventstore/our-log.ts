import { connectEventStore } from '@sluice/eventstore';
import type { RecordedEvent } from '@sluice/es';
import { streamPrefixes } from '../crash/witness.ts';
import { readLog } from '../read-log.ts';

/** Prefix of the types of the foreign events that the test appends. */
export const foreignType = 'Foreign';

/** The events of the installation, in the order of the log. */
export async function readOurLog(url: string): Promise<readonly RecordedEvent[]> {
  const store = await connectEventStore({ url });
  try {
    const log = await readLog(store, streamPrefixes);
    return log.filter(({ type }) => !type.startsWith(foreignType));
  } finally {
    await store.stop();
  }
}
