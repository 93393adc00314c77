import { deepEqual, equal } from 'node:assert/strict';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import { aggregateEventsWith, event, inMemoryEventStore, type EventOf } from './index.ts';

const counterStream = {
  category: 'counter',
  id: '<id>',
  description: 'A counter.',
  events: { Counted: event('It went up.', { by: Type.Integer() }) },
};
type Counted = EventOf<typeof counterStream>;

const counter = {
  category: 'counter',
  initial: 0,
  evolve: (sum: number, { data }: Counted) => sum + data.by,
  decide: ({ by }: { readonly by: number }): readonly Counted[] => [
    { type: 'Counted', data: { by } },
  ],
};

const counterEvents = aggregateEventsWith({
  eventId: (commandId, index) => `${commandId}/${index}`,
  retryPause: async () => {},
})(counter, counterStream);

const context = {
  commandId: 'command-1',
  occurredAt: '2026-11-28T00:00:00.000Z',
  actor: { type: 'system', id: 'spec' },
  requestId: 'request-1',
} as const;

describe('the events of an aggregate', () => {
  test('are appended by its handler, and folded', async () => {
    const store = inMemoryEventStore({ now: () => new Date(0) });
    await counterEvents.handler(store)('7', { by: 3 }, context);
    const { state, handledBefore } = await counterEvents.load(store, '7', 'command-1');
    deepEqual([state, handledBefore], [3, true]);
    equal((await counterEvents.load(store, '7', 'command-2')).handledBefore, false);
  });

  test('are those after a known state', async () => {
    const store = inMemoryEventStore({ now: () => new Date(0) });
    await counterEvents.handler(store)('7', { by: 3 }, context);
    const known = async () => ({ state: 100, revision: 0n });
    const handle = counterEvents.handler(store, known);
    const handled = await handle('7', { by: 4 }, { ...context, commandId: 'command-2' });
    equal('state' in handled && handled.state, 104);
  });

  test('lie in a stream that is named after an id', () => {
    equal(counterEvents.idOf(`${counterEvents.streamPrefix}7`), '7');
  });
});
