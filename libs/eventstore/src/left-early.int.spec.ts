import { equal } from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { connectEventStore } from './index.ts';
import { anEvent } from './testing/an-event.ts';
import { restartableNode } from './testing/restartable-node.ts';

/** Few enough that a whole answer is buffered while its reader is in the middle of it. */
const eventCount = 150;
const stopTimeoutMs = 30_000;

async function connected() {
  const node = await restartableNode();
  const store = await connectEventStore({ url: node.url });
  for (let written = 0; written < eventCount; written += 50)
    await store.append(
      'thing-1',
      Array.from({ length: 50 }, () => anEvent({ n: 1 })),
      'any',
    );
  return { node, store };
}

/** `stop` must not wait for calls that nothing reads any more. */
async function stops(store: { stop(): Promise<void> }): Promise<boolean> {
  const giveUp = new AbortController();
  const stopped = await Promise.race([
    store.stop().then(() => true),
    delay(stopTimeoutMs, false, { signal: giveUp.signal }),
  ]);
  giveUp.abort();
  return stopped;
}

describe('a connection stops', () => {
  test(`after reads of ${eventCount} events that were left early`, async () => {
    const { store } = await connected();
    // The point at which a reader leaves decides whether the answer was whole by then.
    for (let leaveAfter = 1; leaveAfter <= eventCount; leaveAfter += 5) {
      let read = 0;
      for await (const event of store.read('thing-1')) {
        equal(event.revision, BigInt(read));
        // The node, which runs in this process, goes on sending meanwhile.
        await nextTurn();
        if (++read === leaveAfter) break;
      }
    }
    equal(await stops(store), true);
  });

  test('after a subscription that was left with events behind', async () => {
    const { store } = await connected();
    const { signal } = new AbortController();
    for await (const batch of store.subscribe({
      after: 'start',
      streamPrefixes: ['thing-'],
      signal,
    }))
      if (batch.length > 0) break;
    equal(await stops(store), true);
  });
});
