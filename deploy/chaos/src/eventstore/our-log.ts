import { connectEventStore } from '@sluice/eventstore';
import type { RecordedEvent } from '@sluice/es';
import { streamPrefixes } from '../crash/witness.ts';
import { readLog } from '../read-log.ts';

/** How the types of events begin that the test appends in the name of others. */
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
