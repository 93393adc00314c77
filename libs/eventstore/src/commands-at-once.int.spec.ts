import { deepEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { onTestFinished, test } from 'vitest';
import { isRejection } from '@sluice/errors';
import { commandHandler, type Decider, type EventOf, eventCodec } from '@sluice/es';
import { connectEventStore } from './index.ts';
import { restartableNode } from './testing/restartable-node.ts';

const numbersStream = {
  category: 'numbers',
  id: '<id>',
  description: 'For the spec.',
  events: { Added: Type.Object({ number: Type.Number() }) },
};
type Added = EventOf<typeof numbersStream>;
const numbers: Decider<number, readonly number[], Added> = {
  category: 'numbers',
  initial: [],
  evolve: (known, { data }) => [...known, data.number],
  decide: (number) => [{ type: 'Added', data: { number } }],
};
const codec = eventCodec(numbersStream);

/** Carries out commands like a process of its own: with its own connection and queues. */
async function aProcess(url: string) {
  const store = await connectEventStore({ url });
  onTestFinished(() => store.stop());
  const handle = commandHandler(numbers, codec, {
    store,
    eventId: () => randomUUID(),
    retryPause: async () => {},
  });
  const add = (number: number) =>
    handle('1', number, {
      commandId: randomUUID(),
      occurredAt: '2026-01-01T00:00:00.000Z',
      actor: { type: 'system', id: 'spec' },
      requestId: 'req-1',
    });
  return { store, add };
}

test('20 commands on one stream at once succeed from each of two processes', async () => {
  const { url } = await restartableNode();
  const [one, other] = [await aProcess(url), await aProcess(url)];
  const added = Array.from({ length: 40 }, (_, index) => index);
  const answers = await Promise.all(
    added.map((number) => (number % 2 === 0 ? one : other).add(number)),
  );
  ok(answers.every((answer) => !isRejection(answer)));
  const stored = await Array.fromAsync(one.store.read('numbers-1'));
  const found = stored.map(({ data }) => (data as Added['data']).number);
  deepEqual(
    found.toSorted((a, b) => a - b),
    added,
  );
});
