import { deepEqual } from 'node:assert/strict';
import { createNotices, inMemoryBus, subjectFilters, subjects } from '@sluice/bus';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { describe, test } from 'vitest';
import { followKeyChanges } from './follow-key-changes.ts';
import type { KeyNotice } from './key-notices.ts';

const hash = 'a'.repeat(64);

async function following() {
  const bus = inMemoryBus();
  const forgotten: string[] = [];
  const stop = new AbortController();
  const principals = {
    changed: ({ hash: one, revision, isRevoked }: KeyNotice) =>
      void forgotten.push(`${one} ${revision ?? ''} ${isRevoked}`),
    subscribedAnew: () => void forgotten.push('all'),
  };
  const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
  followKeyChanges(notices, principals);
  await notices.start(stop.signal);
  forgotten.length = 0;
  return { bus, forgotten, stop };
}

const delivered = () => new Promise((resolve) => setImmediate(resolve));

describe('a change of a key on the bus', () => {
  test('has that key asked for anew, and says whether it is revoked', async () => {
    const { bus, forgotten } = await following();
    bus.publish(subjects.keyChanged(hash), { hash, accountId: 'org_1' });
    await delivered();
    const message = KeyChanged.toJSON({ hash, accountId: 'org_1', revision: 7n, isRevoked: true });
    bus.publish(subjects.keyChanged(hash), message as object);
    await delivered();
    deepEqual(forgotten, [`${hash}  false`, `${hash} 7 true`]);
  });

  test('is received whatever the message says', async () => {
    const { bus, forgotten } = await following();
    bus.publish(subjects.keyChanged(hash), { unexpected: [1, 2] });
    await delivered();
    deepEqual(forgotten, [`${hash}  false`]);
  });

  test('is received when the bus comes back, and nothing else is asked for anew', async () => {
    const { bus, forgotten } = await following();
    bus.setConnected(false);
    const published = bus.publishNotice(subjects.keyChanged(hash), { hash });
    await delivered();
    deepEqual(forgotten, []);
    bus.setConnected(true);
    await published;
    await delivered();
    deepEqual(forgotten, [`${hash}  false`]);
  });

  test('is not received any more after the end', async () => {
    const { bus, forgotten, stop } = await following();
    stop.abort();
    bus.publish(subjects.keyChanged(hash), { hash });
    bus.setConnected(false);
    bus.setConnected(true);
    await delivered();
    deepEqual(forgotten, []);
  });
});
