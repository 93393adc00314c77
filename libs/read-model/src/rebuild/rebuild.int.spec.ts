import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryEventStore, type EventStore, type Position } from '@sluice/es';
import { eventually } from '@sluice/patience';
import { createTelemetry, type Telemetry } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  compareProjection,
  migrate,
  PoisonedEvent,
  type Projection,
  type Projector,
  rebuildProjection,
  type RebuildOptions,
  startProjector,
  storedProjections,
  standingOf,
} from '../index.ts';
import { testDatabase, type TestDatabase } from '../testing.ts';
import {
  appendTexts,
  foldThings,
  textOf,
  texts,
  thingRows,
  thingsProjection,
} from '../testing/things.ts';

const postgresUrl = inject('postgresUrl');
const migrations = join(import.meta.dirname, '../fixtures/migrations');
let database: TestDatabase;
let eventStore: EventStore;
let telemetry: Telemetry;
let running: Projector[];
let live: Projector;
let warnings: unknown[];

beforeEach(async () => {
  database = await testDatabase({ url: postgresUrl, migrations });
  eventStore = inMemoryEventStore({ now: () => new Date() });
  telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
  running = [];
  warnings = [];
  live = start(thingsProjection);
});
afterEach(async () => {
  await Promise.all(running.map((projector) => projector.stop()));
  await database.query(sql(`DROP SCHEMA IF EXISTS "${shadow()}" CASCADE`));
  await database.drop();
});

describe('a rebuild', () => {
  test('gives what the log says, and misses and doubles nothing while commands keep coming', async () => {
    await fill(100);
    const commands = untilStopped(async (number) => {
      const stream = `thing-${number % 150}`;
      await projected(await appendTexts(eventStore, stream, `later.${number}`));
    });
    const sums: bigint[] = [];
    const reads = untilStopped(async () => {
      sums.push((await thingRows(database)).reduce((sum, { events }) => sum + events, 0n));
    });
    for (let rebuild = 1; rebuild <= 3; rebuild++) await rebuildProjection(options());
    await Promise.all([commands.stop(), reads.stop()]);
    await projected(await appendTexts(eventStore, 'thing-0', 'last'));
    deepEqual(await thingRows(database), await foldThings(eventStore));
    ok(sums.length > 10);
    deepEqual(
      sums,
      sums.toSorted((one, other) => (one < other ? -1 : 1)),
      'what was once read is never gone',
    );
    equal(live.status().rebuilds, 3);
    deepEqual(await sameText(), []);
  });

  test('makes good what somebody has changed, and keeps indexes and statistics', async () => {
    await fill(10);
    await database.query(sql(`UPDATE things SET texts = 'wrong' WHERE stream = 'thing-3'`));
    await database.query(sql(`DELETE FROM things WHERE stream = 'thing-4'`));
    const { events, position } = await rebuildProjection(options());
    deepEqual(await thingRows(database), await foldThings(eventStore));
    equal(events, 20);
    deepEqual(position, live.status().position);
    const indexes = await database.query<{ indexname: string }>(
      sql(`SELECT indexname FROM pg_indexes
           WHERE schemaname = current_schema() AND tablename = 'things' ORDER BY indexname`),
    );
    deepEqual(
      indexes.map(({ indexname }) => indexname),
      ['things_by_events', 'things_pkey'],
    );
    const [statistics] = await database.query<{ rows: number }>(
      sql(`SELECT reltuples AS rows FROM pg_class WHERE oid = 'things'::regclass`),
    );
    equal(statistics?.rows, 10);
  });

  test('keeps what is unique, whatever is said to be for readers only', async () => {
    await fill(10);
    const readingIndexes = ['things_pkey', 'things_by_events', 'nothing'];
    const projection = { ...thingsProjection, readingIndexes };
    await rebuildProjection({ ...options(), projection });
    deepEqual(await thingRows(database), await foldThings(eventStore));
    const indexes = await database.query<{ count: bigint }>(
      sql(`SELECT count(*) FROM pg_indexes
           WHERE schemaname = current_schema() AND tablename = 'things'`),
    );
    deepEqual(indexes, [{ count: 2n }]);
  });

  test('leaves the tables and the checkpoints of the other projections alone', async () => {
    const notes = start({
      projection: 'test.notes',
      version: 1,
      streamPrefixes: ['thing-'],
      tables: ['notes'],
      apply: async (transaction, events) => {
        const text = 'INSERT INTO notes (text) SELECT unnest($1::text[])';
        await transaction.query({ text, values: [events.map(({ data }) => textOf(data))] });
      },
    });
    const { position } = await fill(3);
    await notes.waitFor(position, 5_000);
    const before = await database.query(sql('SELECT * FROM notes'));
    await rebuildProjection(options());
    deepEqual(await database.query(sql('SELECT * FROM notes')), before);
    const last = await appendTexts(eventStore, 'thing-1', 'next');
    await Promise.all([projected(last), notes.waitFor(last.position, 5_000)]);
    equal((await database.query(sql('SELECT * FROM notes'))).length, 7);
    equal(notes.status().rebuilds, 0);
  });

  test('works where no process keeps the projection, from where it stood to the end', async () => {
    await fill(5);
    await live.stop();
    await appendTexts(eventStore, 'thing-1', 'unseen');
    await rebuildProjection(options());
    deepEqual(await thingRows(database), await foldThings(eventStore));
    live = start(thingsProjection);
    await projected(await appendTexts(eventStore, 'thing-1', 'next'));
    deepEqual(await thingRows(database), await foldThings(eventStore));
  });

  test('holds the live projection while it switches, and is not held up by it', async () => {
    await fill(3);
    let readings = 0;
    let during: { readonly position: Position } | undefined;
    const interrupted: Pick<EventStore, 'subscribe' | 'read'> = {
      read: (...asked) => eventStore.read(...asked),
      async *subscribe(subscription) {
        const isSwitch = ++readings === 3;
        for await (const batch of eventStore.subscribe(subscription)) {
          if (isSwitch) {
            during = await appendTexts(eventStore, 'thing-1', 'during');
            equal(await live.waitFor(during.position, 200), false);
          }
          yield batch;
        }
      },
    };
    await rebuildProjection({ ...options(), eventStore: interrupted });
    equal(readings, 3, 'the first attempt was the last');
    ok(during);
    await projected(during);
    deepEqual(warnings, [], 'nobody was interrupted');
    deepEqual(await thingRows(database), await foldThings(eventStore));
  });

  test('never goes back behind a checkpoint that lies after the last event', async () => {
    await live.stop();
    const far: Pick<EventStore, 'subscribe' | 'read'> = {
      read: (...asked) => eventStore.read(...asked),
      async *subscribe(subscription) {
        for await (const batch of eventStore.subscribe(subscription)) {
          const last = batch.findLast(({ kind }) => kind === 'event');
          yield batch;
          if (last?.kind !== 'event') continue;
          const { commit, prepare } = last.event.position;
          const position = { commit: commit + 50n, prepare: prepare + 50n };
          yield [{ kind: 'checkpoint', position }];
        }
      },
    };
    live = start(thingsProjection, far);
    const { position } = await fill(3);
    const beyond = { commit: position.commit + 50n, prepare: position.prepare + 50n };
    equal(await live.waitFor(beyond, 5_000), true);
    deepEqual((await rebuildProjection(options())).position, beyond);
    deepEqual((await storedProjections(database))[0]?.position, beyond);
    await projected(await appendTexts(eventStore, 'thing-1', 'next'));
    deepEqual(await thingRows(database), await foldThings(eventStore));
    equal(live.status().rebuilds, 1, 'it is noticed also where the position is the same');
  });

  test('is refused where other things than tables would have to move', async () => {
    await fill(2);
    const folder = await mkdtemp(join(tmpdir(), 'sluice-migrations-'));
    try {
      await cp(migrations, folder, { recursive: true });
      const text = `CREATE TYPE colour AS ENUM ('red'); ALTER TABLE things ADD colour colour`;
      await writeFile(join(folder, '0003_colour.sql'), text);
      await migrate(database, folder);
      const readModels = { schema: database.schema, migrations: folder };
      await rejects(rebuildProjection({ ...options(), readModels }), {
        name: 'RebuildRefused',
        message: /depend/,
      });
      deepEqual(await thingRows(database), await foldThings(eventStore));
      await nothingIsLeft();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('waits for readers, but not for ever: it lets the others by and tries again', async () => {
    await fill(5);
    const waits = async () =>
      (
        await database.query(
          sql(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'things'::regclass`),
        )
      ).length > 0;
    const rebuilding = database.transaction(async (transaction) => {
      await thingRows(transaction);
      const rebuild = rebuildProjection(options());
      rebuild.catch(() => undefined);
      await eventually(async () => equal(await waits(), true));
      await eventually(async () => equal(await waits(), false));
      await projected(await appendTexts(eventStore, 'thing-1', 'meanwhile'));
      return { rebuild };
    });
    await (
      await rebuilding
    ).rebuild;
    deepEqual(await thingRows(database), await foldThings(eventStore));
  });
});

describe('a rebuild that does not get to its end', () => {
  test('because it is killed leaves the live one as it was, and the next one starts clean', async () => {
    const { position } = await fill(1_000);
    const before = await thingRows(database);
    const program = join(import.meta.dirname, '../testing/rebuild-victim.ts');
    const child = spawn(process.execPath, [program, postgresUrl, database.schema, migrations], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await exited;
    const [left] = await database.query(sql(`SELECT count(*) FROM "${shadow()}".things`));
    ok(left, 'the killed one has left its shadow');
    deepEqual(await thingRows(database), before);
    deepEqual(live.status().position, position);
    await projected(await appendTexts(eventStore, 'thing-1', 'next'));
    const { events } = await rebuildProjection(options());
    equal(events, 2_001);
    deepEqual(await thingRows(database), await foldThings(eventStore));
  });

  test('because it is stopped says so and cleans up', async () => {
    await fill(5);
    const stopping = new AbortController();
    const projection: Projection = {
      ...thingsProjection,
      async apply(transaction, events) {
        await thingsProjection.apply(transaction, events);
        stopping.abort(new Error('stopped by hand'));
      },
    };
    await rejects(
      rebuildProjection({ ...options(), projection, signal: stopping.signal }),
      /stopped by hand/,
    );
    await nothingIsLeft();
    equal(live.status().rebuilds, 0);
  });

  test('because an event cannot be applied names the event and cleans up', async () => {
    await fill(5);
    const projection: Projection = {
      ...thingsProjection,
      async apply(transaction, events) {
        await thingsProjection.apply(transaction, events);
        if (events.some(({ data }) => textOf(data) === '3.1')) throw new TypeError('cannot');
      },
    };
    const [, poison] = await Array.fromAsync(eventStore.read('thing-3'));
    await rejects(
      rebuildProjection({ ...options(), projection }),
      (error) => error instanceof PoisonedEvent && error.event.id === poison?.id,
    );
    await nothingIsLeft();
    deepEqual(await thingRows(database), await foldThings(eventStore));
  });

  test.each(['the live one sets its stream aside', 'the log is another one'])(
    'passes an event that cannot be applied if %s, and notes what it sets aside',
    async (reason) => {
      const projection: Projection = {
        ...thingsProjection,
        async apply(transaction, events) {
          await thingsProjection.apply(transaction, events);
          if (events.some(({ data }) => textOf(data) === '3.1')) throw new TypeError('cannot');
        },
      };
      const takesOtherLog = reason === 'the log is another one';
      if (!takesOtherLog) {
        await live.stop();
        live = start(projection);
      }
      for (let number = 0; number < 5; number++)
        await appendTexts(eventStore, `thing-${number}`, ...texts(number, 2));
      const end = await appendTexts(eventStore, 'thing-0', 'end');
      await eventually(async () => equal(await live.waitFor(end.position, 1_000), true));
      if (!takesOtherLog) await eventually(() => equal(live.status().streamsSetAside, 1));
      await live.stop();
      const rebuilt = await rebuildProjection({ ...options(), projection, takesOtherLog });
      const [, poison] = await Array.fromAsync(eventStore.read('thing-3'));
      deepEqual(rebuilt.setAside, [`sets aside thing-3 at event ${poison?.id}`]);
      const { standstills } = await standingOf(database);
      deepEqual(
        standstills.map(({ stream, eventId }) => [stream, eventId]),
        [['thing-3', poison?.id]],
      );
      const rows = await thingRows(database);
      deepEqual(rows.find(({ stream }) => stream === 'thing-3')?.texts, '3.0');
      equal(rows.length, 5);
    },
  );

  test('because its connection is cut leaves the live one as it was', async () => {
    await fill(5);
    const before = await thingRows(database);
    const projection: Projection = {
      ...thingsProjection,
      async apply(transaction, events) {
        await thingsProjection.apply(transaction, events);
        await transaction.query(sql('SELECT pg_terminate_backend(pg_backend_pid())'));
      },
    };
    await rejects(rebuildProjection({ ...options(), projection }), {
      code: 'read_model_unavailable',
    });
    deepEqual(await thingRows(database), before);
    await rebuildProjection(options());
    deepEqual(await thingRows(database), before);
  });
});

describe('a rebuild is refused', () => {
  const refused = (overrides: Partial<RebuildOptions>, sentence: RegExp) =>
    rejects(rebuildProjection({ ...options(), ...overrides }), (error) => {
      ok(error instanceof Error);
      equal(error.name, 'RebuildRefused');
      ok(sentence.test(error.message), error.message);
      return true;
    });

  test('while another one, or a comparison, of the same projection runs', async () => {
    await fill(5);
    let second: Promise<void> | undefined;
    const projection: Projection = {
      ...thingsProjection,
      async apply(transaction, events) {
        second ??= refused({}, /^Another rebuild or comparison of test.things is running/);
        await second;
        await thingsProjection.apply(transaction, events);
      },
    };
    await rebuildProjection({ ...options(), projection });
    ok(second);
    deepEqual(await thingRows(database), await foldThings(eventStore));
  });

  test('of a reaction, which keeps no tables', () =>
    refused({ projection: { ...thingsProjection, tables: [] } }, /keeps no tables/));

  test('of a projection that has not begun', async () => {
    await refused({}, /has not begun yet/);
    await nothingIsLeft();
  });

  test('where the service has never started', async () => {
    const readModels = { schema: 'test_nobody', migrations };
    await refused({ readModels }, /no schema test_nobody/);
  });

  test('by a program of another version than the services', async () => {
    await fill(1);
    const text = `INSERT INTO migrations (number, name, digest) VALUES (3, '0003_newer.sql', 'x')`;
    await database.query(sql(text));
    await refused({}, /migration 0003_newer.sql/);
    await nothingIsLeft();
  });

  test('with names that are none', () =>
    refused({ projection: { ...thingsProjection, tables: ['a"; DROP'] } }, /no plain name/));
});

describe('what is stored of projections', () => {
  test('says who is kept by a process, and who is rebuilt now', async () => {
    const { position } = await fill(5);
    const [stored] = await storedProjections(database);
    const { projection, version } = thingsProjection;
    ok(stored && stored.updatedAt.getTime() > 0);
    const { updatedAt } = stored;
    const calm = { projection, version, position, updatedAt, rebuilds: 0 };
    deepEqual(stored, { ...calm, active: true, rebuilding: false });
    await compareProjection({
      ...options(),
      projection: {
        ...thingsProjection,
        async apply(transaction, events) {
          await thingsProjection.apply(transaction, events);
          deepEqual((await storedProjections(database))[0]?.rebuilding, true);
        },
      },
    });
    await live.stop();
    const [after] = await storedProjections(database);
    deepEqual(after, { ...calm, active: false, rebuilding: false });
  });
});

const sql = (text: string) => ({ text, values: [] });
const shadow = () => `${database.schema}_rebuild_things`;

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

function start(
  projection: Projection,
  source: Pick<EventStore, 'subscribe' | 'read'> = eventStore,
) {
  const warn = (_message: string, { error }: { readonly error?: unknown }) =>
    void warnings.push(error);
  const logger = { info: () => {}, warn, error: () => {} };
  const common = { database, projection, logger, telemetry };
  const projector = startProjector({ ...common, eventStore: source });
  running.push(projector);
  return projector;
}

/** Two events in each of so many streams, projected. */
async function fill(streams: number): Promise<{ readonly position: Position }> {
  let last: { readonly position: Position } | undefined;
  for (let number = 0; number < streams; number++)
    last = await appendTexts(eventStore, `thing-${number}`, ...texts(number, 2));
  ok(last);
  await projected(last);
  return { position: last.position };
}

async function projected({ position }: { readonly position: Position }): Promise<void> {
  equal(await live.waitFor(position, 10_000), true);
}

async function sameText(): Promise<readonly object[]> {
  return await database.query(
    sql(`SELECT stream FROM things FULL JOIN
           (SELECT stream, count(*) AS events FROM thing_texts GROUP BY stream) texts
           USING (stream, events) WHERE things IS NULL OR texts IS NULL`),
  );
}

async function nothingIsLeft(): Promise<void> {
  const [row] = await database.query<{ schema: string | null }>({
    text: 'SELECT to_regnamespace($1)::text AS schema',
    values: [shadow()],
  });
  equal(row?.schema, null);
}

/** Does it again and again, until it is stopped; a failure comes out there. */
function untilStopped(work: (number: number) => Promise<void>) {
  const stopping = new AbortController();
  const done = (async () => {
    for (let number = 0; !stopping.signal.aborted; number++) await work(number);
  })();
  done.catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}
