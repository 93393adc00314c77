import { rejects } from 'node:assert/strict';
import { type EventStore, inMemoryEventStore } from '@sluice/es';
import { systemClock } from '@sluice/clock-and-ids';
import { heldSubscriptions } from '@sluice/es/testing';
import { onTestFinished, test } from 'vitest';

/** A change, sent twice in the same words, and a look that shows it. */
export interface ShownChange {
  readonly change: () => Promise<unknown>;
  readonly look: () => Promise<unknown>;
}

const notShown = { code: 'read_model_unavailable', retryAfterSeconds: 1 };

/**
 * Specifies that a service answers a change only once its read models show it. All changes wait at the same time: each
 * refusal takes seconds.
 */
export function specifyShownChanges<World extends { stop(): Promise<void> }>(
  start: (eventStore: EventStore) => Promise<World>,
  changes: Readonly<Record<string, (world: World) => Promise<ShownChange>>>,
): void {
  test('a change that the read model does not show is answered when it does', async () => {
    const store = heldSubscriptions(inMemoryEventStore(systemClock));
    const world = await start(store);
    onTestFinished(async () => {
      store.letGo();
      await world.stop();
    });
    const made: (ShownChange & { readonly name: string })[] = [];
    for (const [name, make] of Object.entries(changes)) made.push({ name, ...(await make(world)) });
    const refused = () =>
      Promise.all(made.map(({ name, change }) => rejects(change(), notShown, name)));
    store.hold();
    await refused();
    // It is no less hidden when it is sent again.
    await refused();
    store.letGo();
    for (const { change, look } of made) {
      await change();
      await look();
    }
  });
}
