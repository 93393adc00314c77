import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { Fault, isRejection } from '@sluice/errors';
import {
  commandHandler,
  type Decider,
  eventCodec,
  type EventOf,
  loadAggregate,
  streamOnDisk,
} from '@sluice/es';
import { Type } from 'typebox';
import { describe, onTestFinished, test } from 'vitest';
import { connectEventStore } from './index.ts';
import { embeddedNode } from './testing/official-client.ts';

const counts = {
  category: 'counter',
  id: '<id>',
  description: 'For the spec.',
  events: { Counted: Type.Object({ by: Type.Number() }) },
};
type Counted = EventOf<typeof counts>;
const counter: Decider<{ by: number }, number, Counted> = {
  category: 'counter',
  initial: 0,
  evolve: (sum, event) => sum + event.data.by,
  decide: ({ by }) => [{ type: 'Counted', data: { by } }],
};
const codec = eventCodec(counts);
const onDisk = (id: string) => streamOnDisk('sluice', `counter-${id}`);

async function fixture() {
  const { url, client } = await embeddedNode();
  const store = await connectEventStore({ url });
  onTestFinished(() => store.stop());
  const handle = commandHandler(counter, codec, {
    store,
    eventId: (_commandId, _index) => randomUUID(),
    retryPause: async () => undefined,
  });
  /** The state after it, or the code of the refusal. */
  async function count(id: string, by: number): Promise<number | string> {
    const command = { commandId: randomUUID(), occurredAt: new Date(0).toISOString() };
    try {
      const actor = { type: 'system', id: 'test' } as const;
      const handled = await handle(id, { by }, { ...command, actor, requestId: 'req-1' });
      return isRejection(handled) ? handled.rejected : handled.state;
    } catch (error) {
      ok(error instanceof Fault, String(error));
      return error.code;
    }
  }
  const state = async (id: string) => (await loadAggregate(store, counter, codec, id)).state;
  return { client, count, state };
}

const foreign = () => jsonEvent({ type: 'Counted', data: { by: 'much' } });
type Change = (client: EventStoreDBClient, stream: string) => Promise<unknown>;
const tombstone: Change = (client, stream) => client.tombstoneStream(stream);
const remove: Change = (client, stream) => client.deleteStream(stream);
const append: Change = (client, stream) => client.appendToStream(stream, foreign());
const keep =
  (metadata: Parameters<EventStoreDBClient['setStreamMetadata']>[1]): Change =>
  (client, stream) =>
    client.setStreamMetadata(stream, metadata);

describe('a stream that somebody else has changed', () => {
  test.each([
    ['tombstoned', tombstone, ['stream_gone', 'stream_gone'], 0],
    // The server would let a deleted stream begin again.
    ['deleted', remove, ['stream_gone', 'stream_gone'], 0],
    ['cut to its last event', keep({ maxCount: 1 }), ['stream_gone', 'stream_gone'], 0],
    ['cut before its second event', keep({ truncateBefore: 1 }), ['stream_gone', 'stream_gone'], 0],
    ['cut behind its end', keep({ truncateBefore: 100 }), ['stream_gone', 'stream_gone'], 0],
    ['kept to more than it has', keep({ maxCount: 100 }), [15, 31], 31],
    ['with an event of theirs', append, [15, 31], 31],
  ] as const)('%s', async (_name, change, answers, stateAfter) => {
    const { client, count, state } = await fixture();
    for (const by of [1, 2, 4]) await count('changed', by);
    await change(client, onDisk('changed'));
    deepEqual([await count('changed', 8), await count('changed', 16)], answers);
    equal(await state('changed'), stateAfter);
    equal(await count('other', 1), 1, 'other streams are as they were');
  });

  test('begun by an event of theirs, it takes ours', async () => {
    const { client, count, state } = await fixture();
    await append(client, onDisk('begun'));
    deepEqual([await count('begun', 1), await count('begun', 2)], [1, 3]);
    equal(await state('begun'), 3);
  });

  test('tombstoned before it began, it is gone', async () => {
    const { client, count, state } = await fixture();
    await tombstone(client, onDisk('none'));
    equal(await count('none', 1), 'stream_gone');
    equal(await state('none'), 0);
  });
});
