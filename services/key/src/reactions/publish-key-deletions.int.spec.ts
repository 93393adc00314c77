import { deepEqual, equal } from 'node:assert/strict';
import { directoryStream, subjectFilters } from '@sluice/bus';
import { eventually } from '@sluice/patience';
import { KeyDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { afterEach, beforeEach, inject, test } from 'vitest';
import { aContext, keyWorld, type KeyWorld } from '../testing/key-world.ts';

let world: KeyWorld;
let told: KeyDeleted[];
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  told = [];
  await world.bus.ensureStream(directoryStream);
  void world.bus.consume({
    stream: directoryStream.name,
    durable: 'test',
    filter: subjectFilters.keyDeleted,
    batchMax: 10,
    signal: new AbortController().signal,
    handle: async (messages) =>
      void told.push(...messages.map(({ data }) => KeyDeleted.fromJSON(data))),
  });
});
afterEach(() => world.stop());

const until = (check: () => void) => eventually(check);

test('a deleted key is told, also when the bus was away; a changed one is not', async () => {
  const { key: kept } = await world.issue();
  const { key } = await world.issue();
  world.bus.setConnected(false);
  await world.client.deleteKey({ context: aContext(), hash: key.hash });
  equal(told.length, 0);
  world.bus.setConnected(true);
  await until(() => equal(told.length, 1));
  const { factId, accountId, keyHash } = told[0] ?? {};
  deepEqual([factId, accountId, keyHash], [`${key.hash}@1`, 'org_1', key.hash]);
  await world.client.deleteKey({ context: aContext(), hash: kept.hash });
  await until(() => equal(told.length, 2));
  equal(told[1]?.keyHash, kept.hash);
});
