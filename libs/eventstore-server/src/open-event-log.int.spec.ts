import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'vitest';
import { DirectoryInUse } from './log/directory-lock.ts';
import { openEventLog } from './open-event-log.ts';
import { loadEvents } from './store/stored-event.ts';
import { openStore, scratchDirectory } from './testing/scratch.ts';

const anEvent = (text: string) => ({
  id: randomUUID(),
  type: 'ThingHappened',
  data: { text },
  metadata: { schemaVersion: 1 },
});

describe('the log of a node that does not run', () => {
  test('takes new streams, which the node finds as if they had come over the wire', async () => {
    const directory = await scratchDirectory();
    const log = await openEventLog({ directory });
    const events = ['a', 'b', 'c'].map(anEvent);
    await Promise.all(events.map((event) => log.begin(`thing-${event.data.text}`, event)));
    await log.close();
    const store = await openStore(directory);
    equal(store.index.visible, 3);
    const found = await loadEvents(store, [0, 1, 2]);
    deepEqual(
      found.map(({ stream, revision, record }) => [
        stream,
        revision,
        record.type,
        record.json,
        JSON.parse(record.data.toString()),
        JSON.parse(record.metadata.toString()),
      ]),
      events.map(({ type, data, metadata }) => [
        `thing-${data.text}`,
        0,
        type,
        true,
        data,
        metadata,
      ]),
    );
  });

  test('does not add to a stream that is there', async () => {
    const directory = await scratchDirectory();
    const log = await openEventLog({ directory });
    await log.begin('thing-a', anEvent('first'));
    await rejects(log.begin('thing-a', anEvent('second')), /thing-a could not be begun/);
    await log.close();
    equal((await openStore(directory)).index.visible, 1);
  });

  test('is not opened while a node uses it', async () => {
    const directory = await scratchDirectory();
    await openStore(directory);
    await rejects(openEventLog({ directory }), DirectoryInUse);
  });
});
