import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { inMemoryEventStore, type EventStore } from '@sluice/es';
import { createTelemetry } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  compareProjection,
  type Projector,
  type RebuildOptions,
  startProjector,
} from '../index.ts';
import { testDatabase, type TestDatabase } from '../testing.ts';
import { appendTexts, foldThings, texts, thingRows, thingsProjection } from '../testing/things.ts';

const postgresUrl = inject('postgresUrl');
const migrations = join(import.meta.dirname, '../fixtures/migrations');
let database: TestDatabase;
let eventStore: EventStore;
let live: Projector;

beforeEach(async () => {
  database = await testDatabase({ url: postgresUrl, migrations });
  eventStore = inMemoryEventStore({ now: () => new Date() });
  live = startProjector({
    eventStore,
    database,
    projection: thingsProjection,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    telemetry: createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined }),
  });
});
afterEach(async () => {
  await live.stop();
  await database.drop();
});

describe('a comparison', () => {
  test('finds nothing where nothing is wrong, also while commands keep coming', async () => {
    await fill(50);
    const stopping = new AbortController();
    const commands = (async () => {
      for (let number = 0; !stopping.signal.aborted; number++)
        await projected(await appendTexts(eventStore, `thing-${number % 60}`, `later.${number}`));
    })();
    for (let comparison = 1; comparison <= 3; comparison++) {
      const { differingRows, differences, rows, events } = await compareProjection(options());
      deepEqual({ differingRows, differences }, { differingRows: 0n, differences: [] });
      ok(rows >= 150n && events >= 100);
    }
    stopping.abort();
    await commands;
    deepEqual(await thingRows(database), await foldThings(eventStore));
    equal(live.status().rebuilds, 0);
  });

  test('shows rows that were changed, are missing or should not be there, by their key', async () => {
    const position = await fill(5);
    await run(`UPDATE things SET texts = 'it''s "wrong"' WHERE stream = 'thing-1'`);
    await run(`DELETE FROM things WHERE stream = 'thing-2'`);
    await run(`INSERT INTO things VALUES ('thing-99', 'never', 1)`);
    await run(`UPDATE thing_texts SET text = 'x' WHERE stream = 'thing-3' AND text = '3.0'`);
    const compared = await compareProjection(options());
    deepEqual(compared.position, position);
    equal(compared.events, 10);
    equal(compared.differingRows, 5n);
    deepEqual(compared.differences, [
      {
        table: 'things',
        key: '{"stream": "thing-1"}',
        live: String.raw`{"texts": "it's \"wrong\""}`,
        rebuilt: '{"texts": "1.0 1.1"}',
      },
      {
        table: 'things',
        key: '{"stream": "thing-2"}',
        live: undefined,
        rebuilt: '{"texts": "2.0 2.1", "events": 2, "stream": "thing-2"}',
      },
      {
        table: 'things',
        key: '{"stream": "thing-99"}',
        live: '{"texts": "never", "events": 1, "stream": "thing-99"}',
        rebuilt: undefined,
      },
      {
        table: 'thing_texts',
        key: '{"text": "3.0", "stream": "thing-3"}',
        live: undefined,
        rebuilt: '{"text": "3.0", "stream": "thing-3"}',
      },
      {
        table: 'thing_texts',
        key: '{"text": "x", "stream": "thing-3"}',
        live: '{"text": "x", "stream": "thing-3"}',
        rebuilt: undefined,
      },
    ]);
  });

  test('changes nothing, and leaves nothing behind', async () => {
    await fill(3);
    await run(`DELETE FROM things WHERE stream = 'thing-2'`);
    const before = await thingRows(database);
    await compareProjection(options());
    deepEqual(await thingRows(database), before);
    const schemas = await database.query({
      text: 'SELECT FROM pg_namespace WHERE nspname LIKE $1',
      values: [`${database.schema}\\_rebuild%`],
    });
    equal(schemas.length, 0);
  });

  test('counts all rows that differ and shows the first twenty, in the order of their keys', async () => {
    await fill(30);
    await run('UPDATE things SET events = 0');
    const { differingRows, differences } = await compareProjection(options());
    equal(differingRows, 30n);
    equal(differences.length, 20);
    equal(differences[0]?.key, '{"stream": "thing-0"}');
    equal(differences[1]?.key, '{"stream": "thing-1"}');
    equal(differences[2]?.key, '{"stream": "thing-10"}');
  });

  test('cuts long values off', async () => {
    await projected(await appendTexts(eventStore, 'thing-1', 'x'));
    await run(`UPDATE things SET texts = repeat('y', 100000)`);
    const { differences } = await compareProjection(options());
    equal(differences[0]?.live?.length, 500);
  });

  test('takes the live projection where it stands, also when it does not move', async () => {
    const position = await fill(3);
    await live.stop();
    for (let number = 0; number < 700; number++)
      await appendTexts(eventStore, `thing-${number}`, 'unseen');
    const compared = await compareProjection(options());
    deepEqual(compared.position, position);
    equal(compared.events, 6);
    equal(compared.differingRows, 0n);
  });

  test('needs a primary key to name rows by', async () => {
    await fill(1);
    await rejects(
      compareProjection({
        ...options(),
        projection: { ...thingsProjection, tables: ['things', 'unkeyed'] },
      }),
      /The table unkeyed has no primary key/,
    );
  });
});

function options(): RebuildOptions {
  return {
    postgresUrl,
    eventStore,
    readModels: { schema: database.schema, migrations },
    projection: thingsProjection,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  };
}

const run = (text: string) => database.query({ text, values: [] });

/** Two events in each of so many streams, projected. */
async function fill(streams: number) {
  for (let number = 0; number < streams - 1; number++)
    await appendTexts(eventStore, `thing-${number}`, ...texts(number, 2));
  return await projected(
    await appendTexts(eventStore, `thing-${streams - 1}`, ...texts(streams - 1, 2)),
  );
}

async function projected({ position }: Awaited<ReturnType<typeof appendTexts>>) {
  equal(await live.waitFor(position, 10_000), true);
  return position;
}
