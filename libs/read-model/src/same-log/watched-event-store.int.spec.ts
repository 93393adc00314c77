import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import type { RecordedEvent } from '@sluice/es';
import { eventually } from '@sluice/patience';
import { createTelemetry } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  type Projector,
  startProjector,
  watchedEventStore,
  type WatchedEventStore,
} from '../index.ts';
import { testDatabase, type TestDatabase } from '../testing.ts';
import { replaceableStore, type ReplaceableStore } from '../testing/replaceable-store.ts';
import { appendTexts, foldThings, thingRows, thingsProjection } from '../testing/things.ts';

const migrations = join(import.meta.dirname, '../fixtures/migrations');
const timeoutMs = 10_000;
let database: TestDatabase;
let node: ReplaceableStore;
let store: WatchedEventStore;
let projector: Projector;
let logged: string[];
let telemetry: ReturnType<typeof createTelemetry>;

beforeEach(async () => {
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
  node = replaceableStore();
  logged = [];
  startProcess();
});
afterEach(async () => {
  await stopProcess();
  await database.drop();
});

function startProcess() {
  telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
  const told = (message: string) => void logged.push(message);
  const logger = { info: told, warn: told, error: told };
  const options = { database, logger, telemetry };
  store = watchedEventStore({ ...options, eventStore: node, lookEveryMs: 20 });
  store.start();
  projector = startProjector({ ...options, eventStore: store, projection: thingsProjection });
}

async function stopProcess() {
  await projector.stop();
  await store.stop();
  await telemetry.stop();
}

/** Appends and waits until the read model shows it. */
async function noted(stream: string, ...texts: readonly string[]) {
  const { position } = await appendTexts(store, stream, ...texts);
  equal(await projector.waitFor(position, timeoutMs), true);
}

const diverged = () =>
  eventually(() =>
    match(store.degradation().join(), /^event_store_diverged: .*ThingNoted of thing-/),
  );

/** Each way in which a store comes to be another one, made of the log as it was. */
const replacements: readonly {
  readonly name: string;
  readonly log: (log: readonly RecordedEvent[]) => readonly RecordedEvent[];
  readonly says: RegExp;
}[] = [
  { name: 'an older copy', log: (log) => log.slice(0, -2), says: /another history/ },
  {
    name: 'an older copy that has outgrown the checkpoint',
    log: (log) => [...log.slice(0, -2), ...others(log, 9)],
    says: /another history/,
  },
  { name: 'an empty store', log: () => [], says: /is empty/ },
  {
    name: 'the store of another installation',
    log: (log) => log.map((event) => ({ ...event, id: `other-${event.id}` })),
    says: /another installation/,
  },
];

function others(log: readonly RecordedEvent[], count: number): readonly RecordedEvent[] {
  const [, event] = log;
  ok(event);
  return Array.from({ length: count }, (_, index) => ({ ...event, id: `other-${index}` }));
}

const ways: readonly {
  readonly name: string;
  readonly replace: (log: readonly RecordedEvent[]) => Promise<void>;
}[] = [
  {
    name: 'while no process ran',
    replace: async (log) => {
      await stopProcess();
      await node.replace(log);
      startProcess();
    },
  },
  { name: 'under an open connection that breaks', replace: (log) => node.replace(log) },
  { name: 'under an open connection, unseen', replace: (log) => node.replaceUnseen(log) },
];

describe.each(replacements)('$name', ({ log, says }) => {
  test.each(ways)('put in place $name is not taken for the log', async ({ replace }) => {
    await noted('thing-1', 'a', 'b');
    await noted('thing-2', 'c', 'd');
    const before = await thingRows(database);
    const whole = await node.log();
    await replace(log(whole));
    await diverged();
    match(store.degradation().join(), says);
    match(store.degradation().join(), new RegExp(whole.at(-1)?.id ?? 'no event'));
    await rejects(appendTexts(store, 'thing-1', 'lost'), { code: 'event_store_diverged' });
    await rejects(Array.fromAsync(store.read('thing-1')), { code: 'event_store_diverged' });
    deepEqual(await thingRows(database), before);
    equal(logged.filter((message) => message.startsWith('event_store_diverged')).length, 1);
    match(await telemetry.prometheus(), /eventstore_diverged\{[^}]*\} 1/);
    await node.replace(whole);
    await eventually(() => deepEqual(store.degradation(), []));
    await noted('thing-1', 'e');
    deepEqual(await thingRows(database), await foldThings(node));
  });
});

test('a log that is put in place between two calls of one look is not taken for the log', async () => {
  await noted('thing-1', 'a', 'b');
  await noted('thing-2', 'c', 'd');
  const whole = await node.log();
  const original = { ...node };
  let isReplaced = false;
  Object.assign(node, {
    async end() {
      if (!isReplaced) await node.replaceUnseen([...whole.slice(0, -2), ...others(whole, 9)]);
      isReplaced = true;
      return await original.end();
    },
  });
  await diverged();
});

describe('the same store', () => {
  test('is taken for it after each break, each restart and with whatever was written meanwhile', async () => {
    await noted('thing-1', 'a');
    for (let round = 0; round < 5; round++) {
      node.breakOff();
      await noted('thing-1', `b${round}`);
      await stopProcess();
      await appendTexts(node, 'thing-3', `c${round}`);
      startProcess();
      await noted('thing-2', `d${round}`);
    }
    await noted('thing-4', 'last');
    deepEqual(await thingRows(database), await foldThings(node));
    deepEqual(store.degradation(), []);
    equal(store.divergences(), 0);
    deepEqual(
      logged.filter((message) => message.includes('diverged')),
      [],
    );
  });

  test('names one installation, whichever process starts first', async () => {
    await noted('thing-1', 'a');
    await stopProcess();
    startProcess();
    await noted('thing-1', 'b');
    const names = await Array.fromAsync(node.read('installation'));
    equal(names.length, 1);
  });

  test('is taken on by read models that know no event by its id, as after an upgrade', async () => {
    await noted('thing-1', 'a');
    await stopProcess();
    const text = `UPDATE checkpoints SET last_event = NULL;
      UPDATE known_log SET installation = NULL; DELETE FROM log_marks`;
    await database.query({ text, values: [] });
    startProcess();
    await noted('thing-1', 'b');
    deepEqual(store.degradation(), []);
    await node.replace((await node.log()).slice(0, 2));
    await diverged();
  });

  test('lost events that concern no read model: nothing stops, and nothing that comes is missed', async () => {
    await noted('thing-1', 'a');
    const known = await node.log();
    for (let event = 0; event < 5; event++) await appendTexts(node, 'foreign-1', 'x');
    await eventually(async () => {
      const text = 'SELECT FROM log_marks WHERE NOT is_applied';
      ok((await database.query({ text, values: [] })).length > 0);
    });
    // The checkpoint moved over the events of others, as it does with many of them.
    const end = await node.end();
    const moved = 'UPDATE checkpoints SET commit_position = $1, prepare_position = $2';
    await stopProcess();
    const { commit = 0n, prepare = 0n } = end?.position ?? {};
    await database.query({ text: moved, values: [commit, prepare] });
    await node.replace(known);
    startProcess();
    await noted('thing-1', 'b');
    await noted('thing-2', 'c');
    deepEqual(await thingRows(database), await foldThings(node));
    deepEqual(store.degradation(), []);
  });
});
