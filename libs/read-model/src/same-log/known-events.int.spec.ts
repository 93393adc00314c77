import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { eventually } from '@sluice/patience';
import { createTelemetry } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { migrate, startProjector, watchedEventStore } from '../index.ts';
import { testDatabase, type TestDatabase } from '../testing.ts';
import { replaceableStore, type ReplaceableStore } from '../testing/replaceable-store.ts';
import { appendTexts, foldThings, thingRows, thingsProjection } from '../testing/things.ts';

const migrations = join(import.meta.dirname, '../fixtures/migrations');
const timeoutMs = 10_000;
let node: ReplaceableStore;
let first: Service;
let second: Service;

type Service = Awaited<ReturnType<typeof startService>>;

beforeEach(async () => {
  node = replaceableStore();
  first = await startService('first');
  second = await startService('second', { installation: first.database.schema });
});
afterEach(async () => {
  for (const one of [second, first]) await one.stop();
});

/** A service that knows only the events of its own streams. */
async function startService(
  name: string,
  { installation, lookEveryMs = 20 }: { installation?: string; lookEveryMs?: number } = {},
) {
  const shared = installation === undefined ? {} : { installation };
  const database = await testDatabase({ url: inject('postgresUrl'), migrations, ...shared });
  const running = startProcess(name, database, lookEveryMs);
  return {
    ...running,
    database,
    async noted(...texts: readonly string[]) {
      const { position } = await appendTexts(running.store, `${name}-1`, ...texts);
      equal(await running.projector.waitFor(position, timeoutMs), true);
    },
    async stop() {
      await running.end();
      await database.drop();
    },
  };
}

function startProcess(name: string, database: TestDatabase, lookEveryMs: number) {
  const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
  const logger = { info() {}, warn() {}, error() {} };
  const options = { database, logger, telemetry };
  const store = watchedEventStore({ ...options, eventStore: node, lookEveryMs });
  store.start();
  const projection = {
    ...thingsProjection,
    projection: `${name}.things`,
    streamPrefixes: [`${name}-`],
  };
  const projector = startProjector({ ...options, eventStore: store, projection });
  return {
    store,
    projector,
    async end() {
      await projector.stop();
      await store.stop();
      await telemetry.stop();
    },
  };
}

const diverged = { code: 'event_store_diverged' };
const isDiverged = (service: Service) =>
  eventually(() =>
    match(service.store.degradation().join(), /^event_store_diverged: .*ThingNoted of first-1/),
  );

const ways: readonly {
  readonly name: string;
  readonly replace: ReplaceableStore['replace'];
}[] = [
  { name: 'under an open connection that breaks', replace: (log) => node.replace(log) },
  { name: 'under an open connection, unseen', replace: (log) => node.replaceUnseen(log) },
];

describe('a copy that lacks events of another service alone', () => {
  test.each(ways)('put in place $name is refused by all services', async ({ replace }) => {
    await first.noted('a');
    await second.noted('b');
    const copy = await node.log();
    await first.noted('lost');
    const whole = await node.log();
    await replace(copy);
    await isDiverged(second);
    await rejects(appendTexts(second.store, 'second-1', 'never answered'), diverged);
    await rejects(Array.fromAsync(second.store.read('second-1')), diverged);
    await node.replace(whole);
    for (const service of [first, second]) {
      await eventually(() => deepEqual(service.store.degradation(), []));
      await service.noted('after');
    }
    equal(second.store.divergences(), 1);
    const rows = [...(await thingRows(first.database)), ...(await thingRows(second.database))];
    deepEqual(rows, await foldThings(node, ['first-', 'second-']));
  });

  test('never gets an answered command, however soon it is asked', async () => {
    await second.noted('b');
    const copy = await node.log();
    await first.noted('lost');
    const whole = await node.log();
    await node.replace(copy);
    // A break is noticed within a turn of the event loop; a new connection takes several.
    await turn();
    const asked = await Promise.allSettled(
      Array.from({ length: 50 }, (_, number) =>
        appendTexts(second.store, `second-${number}`, 'never answered'),
      ),
    );
    deepEqual(
      asked.filter(({ status }) => status === 'fulfilled'),
      [],
    );
    await node.replace(whole);
    await eventually(() => second.noted('after'));
  });

  test('is noticed by the place of an append where no look and no break shows it', async () => {
    const copy = await node.log();
    await first.noted('lost', 'too');
    const rare = { installation: first.database.schema, lookEveryMs: 3_600_000 };
    const third = await startService('third', rare);
    try {
      await third.store.verified();
      await node.replaceUnseen(copy);
      await rejects(appendTexts(third.store, 'third-1', 'never answered'), diverged);
    } finally {
      await third.stop();
    }
  });

  test('is refused by a service that starts on it for the first time', async () => {
    const copy = await node.log();
    await first.noted('lost');
    await node.replace(copy);
    const third = await startService('third', { installation: first.database.schema });
    try {
      await isDiverged(third);
      await rejects(appendTexts(third.store, 'third-1', 'never answered'), diverged);
    } finally {
      await third.stop();
    }
  });
});

test('the newest events of services from before they shared them are shared at their next start', async () => {
  await second.noted('b');
  const copy = await node.log();
  await first.noted('lost');
  const { installation } = first.database;
  await first.database.query({ text: `DROP TABLE "${installation}".known_events`, values: [] });
  await migrate(first.database, migrations);
  await node.replace(copy);
  await isDiverged(second);
});

test('a projection that runs again from the start takes nothing back of what is known', async () => {
  await first.noted('a', 'b');
  const known = async () => {
    const text = `SELECT event->>'id' AS id FROM known_events WHERE reader = 'first.things'`;
    return await first.database.query<{ id: string }>({ text, values: [] });
  };
  const before = await known();
  const text = `TRUNCATE things, thing_texts; DELETE FROM checkpoints`;
  await first.database.query({ text, values: [] });
  await eventually(async () =>
    deepEqual(await thingRows(first.database), await foldThings(node, ['first-'])),
  );
  deepEqual(await known(), before);
});
