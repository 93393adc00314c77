import { deepEqual, equal } from 'node:assert/strict';
import { nameStream, subjectFilters } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
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

test('a run from the start of the log reads no stream again, however often its key was renamed', async () => {
  const live = consumer('live');
  const { key } = await world.issue({ name: 'First' });
  const unchanged = { disabled: undefined, includeByokInLimit: undefined };
  const limits = { limit: undefined, limitReset: undefined };
  for (let count = 1; count <= 20; count++)
    await world.client.updateKey({
      context: aContext(),
      hash: key.hash,
      name: `Name ${count}`,
      ...unchanged,
      ...limits,
    });
  await world.until(() => equal(live.at(-1)?.name, 'Name 20'));
  const read: string[] = [];
  const { eventStore } = world;
  const observed: EventStore = {
    ...eventStore,
    read(stream, ...rest) {
      read.push(stream);
      return eventStore.read(stream, ...rest);
    },
  };
  await world.restart({ eventStore: observed }, async () => {
    const text = `DELETE FROM checkpoints WHERE projection = 'key.publish_key_names'`;
    await world.database.query({ text, values: [] });
  });
  await world.until(async () => {
    const text = `SELECT FROM checkpoints WHERE projection = 'key.publish_key_names'`;
    equal((await world.database.query({ text, values: [] })).length, 1);
  });
  deepEqual(
    read.filter((stream) => stream.startsWith('apiKey-')),
    [],
  );
  equal(live.at(-1)?.name, 'Name 20');
});
