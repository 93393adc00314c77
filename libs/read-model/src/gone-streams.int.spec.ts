import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type EventMetadata, type EventStore, inMemoryEventStore, metastreamOf } from '@sluice/es';
import { eventually } from '@sluice/patience';
import { createTelemetry } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  compareProjection,
  type Projection,
  type Projector,
  rebuildProjection,
  startProjector,
} from './index.ts';
import { testDatabase, type TestDatabase } from './testing.ts';
import { appendTexts, thingRows, thingsProjection } from './testing/things.ts';

const postgresUrl = inject('postgresUrl');
const migrations = join(import.meta.dirname, 'fixtures/migrations');
const timeoutMs = 30_000;
let database: TestDatabase;
let eventStore: EventStore;
let running: Projector[];
let warnings: string[];
let failures: string[];

beforeEach(async () => {
  database = await testDatabase({ url: postgresUrl, migrations });
  eventStore = inMemoryEventStore({ now: () => new Date() });
  [running, warnings, failures] = [[], [], []];
});
afterEach(async () => {
  await Promise.all(running.map((projector) => projector.stop()));
  await database.drop();
});

const forgetting: Projection = {
  ...thingsProjection,
  async applyGone(transaction, streams) {
    for (const table of ['things', 'thing_texts'])
      await transaction.query({
        text: `DELETE FROM ${table} WHERE stream = ANY ($1)`,
        values: [streams],
      });
  },
};

/** The administrator of the event store: it has no metadata of ours. */
const write = (stream: string, type: string, data: object) =>
  eventStore.append(
    stream,
    [{ id: randomUUID(), type, data, metadata: {} as EventMetadata }],
    'any',
  );
const describeStream = (stream: string, metadata: object) =>
  write(metastreamOf(stream), '$metadata', metadata);
const ways: Readonly<Record<string, (stream: string) => ReturnType<typeof write>>> = {
  tombstoned: (stream) => write(stream, '$streamDeleted', {}),
  deleted: (stream) => describeStream(stream, { $tb: Number(2n ** 63n - 1n) }),
  'cut by $tb': (stream) => describeStream(stream, { $tb: 1 }),
  'cut by $maxCount': (stream) => describeStream(stream, { $maxCount: 1 }),
};

describe.each(Object.entries(ways))('a stream that is %s', (_name, remove) => {
  test('is told to a projection that asks for it, live, once a deletion', async () => {
    const projector = start();
    await appendTexts(eventStore, 'thing-1', 'a', 'b');
    await appendTexts(eventStore, 'thing-2', 'c');
    await remove('thing-1');
    const { position } = await appendTexts(eventStore, 'thing-3', 'd');
    equal(await projector.waitFor(position, timeoutMs), true);
    deepEqual(await streams(), ['thing-2', 'thing-3']);
    deepEqual(warnings, ['a stream was deleted or cut in the event store: thing-1']);
  });

  test('is told at the next start if no process ran', async () => {
    const first = start();
    const { position } = await appendTexts(eventStore, 'thing-1', 'a');
    await appendTexts(eventStore, 'thing-2', 'b');
    await first.waitFor(position, timeoutMs);
    await first.stop();
    const gone = await remove('thing-1');
    equal(await start().waitFor(gone.position, timeoutMs), true);
    deepEqual(await streams(), ['thing-2']);
  });

  test('leaves the same rows in a rebuild and in a comparison', async () => {
    const projector = start();
    await appendTexts(eventStore, 'thing-1', 'a', 'b');
    await appendTexts(eventStore, 'thing-2', 'c');
    const { position } = await remove('thing-1');
    equal(await projector.waitFor(position, timeoutMs), true);
    const { differences } = await compareProjection(rebuildOptions());
    deepEqual(differences, []);
    await rebuildProjection(rebuildOptions());
    deepEqual(await streams(), ['thing-2']);
  });

  test('changes nothing for a projection that does not ask', async () => {
    const projector = start(thingsProjection);
    await appendTexts(eventStore, 'thing-1', 'a');
    await remove('thing-1');
    const { position } = await appendTexts(eventStore, 'thing-2', 'b');
    equal(await projector.waitFor(position, timeoutMs), true);
    deepEqual(await streams(), ['thing-1', 'thing-2']);
  });
});

describe('events about streams', () => {
  test('that hide nothing, or are about other streams, change nothing', async () => {
    const projector = start();
    await appendTexts(eventStore, 'thing-1', 'a');
    await describeStream('thing-1', { $acl: { $r: 'ops' } });
    await describeStream('thing-1', { $tb: 0 });
    await describeStream('other-1', { $tb: 1 });
    await write('thing-1', 'Whatever', { $tb: 1 });
    const { position } = await appendTexts(eventStore, 'thing-2', 'b');
    equal(await projector.waitFor(position, timeoutMs), true);
    deepEqual(await streams(), ['thing-1', 'thing-2']);
    deepEqual(failures, []);
  });

  test('are not what the log is known again by: the store drops old metadata', async () => {
    const projector = start();
    const own = await appendTexts(eventStore, 'thing-1', 'a');
    const { position } = await describeStream('thing-1', { $tb: 1 });
    equal(await projector.waitFor(position, timeoutMs), true);
    const [checkpoint] = await database.query<{ commit: bigint; last: bigint }>({
      text: `SELECT commit_position AS commit, (last_event->>'commit')::bigint AS last
             FROM checkpoints`,
      values: [],
    });
    deepEqual(checkpoint, { commit: position.commit, last: own.position.commit });
  });

  test('behind an event that cannot be applied are applied when that one is not at fault', async () => {
    const told: (readonly string[])[] = [];
    const projector = start({
      ...forgetting,
      async apply(transaction, events) {
        // A batch of several fails once; each event alone is applied.
        if (events.length > 1) throw new Error('together');
        await forgetting.apply(transaction, events);
      },
      async applyGone(transaction, gone) {
        told.push(gone);
        await forgetting.applyGone?.(transaction, gone);
      },
    });
    await appendTexts(eventStore, 'thing-1', 'a', 'b', 'c');
    await describeStream('thing-1', { $tb: 2 });
    const { position } = await appendTexts(eventStore, 'thing-2', 'd');
    equal(await projector.waitFor(position, timeoutMs), true);
    deepEqual(await streams(), ['thing-2']);
    deepEqual(told.at(-1), ['thing-1']);
  });

  test('that cannot be applied are set aside, and the streams go on', async () => {
    const projector = start({
      ...forgetting,
      applyGone: () => Promise.reject(new Error('no')),
    });
    const { position } = await appendTexts(eventStore, 'thing-1', 'a');
    const gone = await describeStream('thing-1', { $tb: 1 });
    equal(await projector.waitFor(position, timeoutMs), true);
    await eventually(async () => equal(await projector.waitFor(gone.position, 1_000), true));
    equal(projector.status().streamsSetAside, 1);
    deepEqual(failures, ['projection sets a stream aside']);
  });
});

async function streams(): Promise<readonly string[]> {
  return (await thingRows(database)).map(({ stream }) => stream);
}

const rebuildOptions = () => ({
  postgresUrl,
  eventStore,
  readModels: { schema: database.schema, migrations },
  projection: forgetting,
  onProgress: () => {},
  signal: new AbortController().signal,
});

function start(projection: Projection = forgetting): Projector {
  const projector = startProjector({
    eventStore,
    database,
    projection,
    logger: {
      info: () => {},
      warn: (message, fields) =>
        void warnings.push(`${message}: ${(fields as { stream?: string } | undefined)?.stream}`),
      error: (message) => void failures.push(message),
    },
    telemetry: createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined }),
  });
  running.push(projector);
  return projector;
}
