import { deepEqual, equal } from 'node:assert/strict';
import { nameStream, subjectFilters } from '@sluice/bus';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { afterEach, beforeEach, inject, test } from 'vitest';
import { aContext, keyWorld, type KeyWorld } from '../testing/key-world.ts';

let world: KeyWorld;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  await world.bus.ensureStream(nameStream);
});
afterEach(() => world.stop());

/** A consumer that begins with what the stream has. */
function consumer(durable: string) {
  const facts: EntityNamed[] = [];
  void world.bus.consume({
    stream: nameStream.name,
    durable,
    filter: subjectFilters.entityNamed,
    batchMax: 10,
    signal: new AbortController().signal,
    handle: async (batch) =>
      void facts.push(...batch.map(({ data }) => EntityNamed.fromJSON(data))),
  });
  return facts;
}

test('what a key is called is published; of each key the last name alone is kept', async () => {
  const live = consumer('live');
  const { key } = await world.issue({ name: 'First' });
  await world.until(() => equal(live.length, 1));
  const { hash } = key;
  const unchanged = { disabled: undefined, includeByokInLimit: undefined };
  const limits = { limit: undefined, limitReset: undefined };
  const context = aContext();
  await world.client.updateKey({ context, hash, name: 'Second', ...unchanged, ...limits });
  await world.until(() => equal(live.length, 2));
  deepEqual(
    live.map(({ kind, entityId, accountId, name, state }) => [
      kind,
      entityId,
      accountId,
      name,
      state,
    ]),
    [
      ['key', hash, 'org_1', 'First', 'named'],
      ['key', hash, 'org_1', 'Second', 'named'],
    ],
  );
  const { key: other } = await world.issue({ name: 'Other' });
  await world.client.deleteKey({ context: aContext(), hash: other.hash });
  await world.until(() => equal(live.length, 4));
  const later = consumer('later');
  await world.until(() => equal(later.length, 2));
  deepEqual(
    later.map(({ entityId, name, state }) => [entityId, name, state]),
    [
      [hash, 'Second', 'named'],
      [other.hash, '', 'deleted'],
    ],
  );
});
