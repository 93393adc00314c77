import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { Fault } from '@sluice/errors';
import {
  inMemoryEventStore,
  type EventMetadata,
  type EventStore,
  type RecordedEvent,
  UnreadableEvent,
} from '@sluice/es';
import { createTelemetry, type Telemetry } from '@sluice/telemetry';
import {
  migrate,
  openDatabase,
  type Projection,
  startProjector,
  type Projector,
  type ProjectorOptions,
  type Queryable,
  skipEvent,
  standingOf,
} from './index.ts';
import { setAsideMax } from './standstill/streams-set-aside.ts';
import { testDatabase, type TestDatabase } from './testing.ts';

const timeoutMs = 10_000;
const migrations = new URL('./fixtures/migrations', import.meta.url).pathname;
let database: TestDatabase;
let eventStore: EventStore;
let running: Projector[];
let failures: unknown[];
let telemetry: Telemetry;

beforeEach(async () => {
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
  eventStore = inMemoryEventStore({ now: () => new Date() });
  running = [];
  failures = [];
  telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
});
afterEach(async () => {
  await Promise.all(running.map((projector) => projector.stop()));
  await database.drop();
});

describe('a projector', () => {
  test('applies what was there and what comes, in log order, each event once', async () => {
    await append('thing-1', 'a', 'b');
    const projector = start();
    const { position } = await append('thing-2', 'c');
    equal(await projector.waitFor(position, timeoutMs), true);
    deepEqual(await seen(), ['a', 'b', 'c']);
    deepEqual(projector.status().position, position);
    deepEqual(projector.unreadiness(), []);
  });

  test('is ready as soon as the position of the last event is reached', async () => {
    const { position } = await append('thing-1', 'a');
    const projector = start();
    equal(await projector.waitFor(position, timeoutMs), true);
    deepEqual(projector.unreadiness(), []);
  });

  test('is not ready while an event of its first batch cannot be applied', async () => {
    const { position } = await append('thing-1', 'a');
    await append('thing-1', 'away');
    let isAway = true;
    const projector = start({
      apply: async (transaction, events) => {
        await note(transaction, events);
        if (isAway && events.some(({ data }) => textOf(data) === 'away'))
          throw events.length > 1 ? new TypeError('cannot') : new Fault('bus_unavailable');
      },
    });
    equal(await projector.waitFor(position, timeoutMs), true);
    deepEqual(projector.unreadiness(), ['projection test.things is catching up']);
    isAway = false;
    await eventually(() => deepEqual(projector.unreadiness(), []));
    deepEqual(await seen(), ['a', 'away']);
  });

  test('sees only streams of its prefixes', async () => {
    await append('other-1', 'x');
    const projector = start();
    await projector.waitFor((await append('thing-1', 'a')).position, timeoutMs);
    deepEqual(await seen(), ['a']);
  });

  test('continues behind its checkpoint after a restart', async () => {
    const first = start();
    await first.waitFor((await append('thing-1', 'a')).position, timeoutMs);
    await first.stop();
    const { position } = await append('thing-1', 'b');
    equal(await start().waitFor(position, timeoutMs), true);
    deepEqual(await seen(), ['a', 'b']);
  });

  test('of a new version begins at the start, beside the old one', async () => {
    const { position } = await append('thing-1', 'a');
    equal(await start().waitFor(position, timeoutMs), true);
    equal(await start({ version: 2 }).waitFor(position, timeoutMs), true);
    deepEqual(await seen(), ['a', 'a']);
  });

  test('drops what the subscription delivers again', async () => {
    await append('thing-1', 'a', 'b');
    const repeating: Pick<EventStore, 'subscribe' | 'read'> = {
      read: (...asked) => eventStore.read(...asked),
      async *subscribe(options) {
        for await (const batch of eventStore.subscribe(options)) yield* [batch, batch];
      },
    };
    const projector = start({ eventStore: repeating });
    await projector.waitFor((await append('thing-1', 'c')).position, timeoutMs);
    deepEqual(await seen(), ['a', 'b', 'c']);
  });

  test('stopping between rows and checkpoint leaves neither, and is made good', async () => {
    let attempts = 0;
    const projector = start({
      apply: async (transaction, events) => {
        await note(transaction, events);
        if (++attempts === 1) throw new Fault('bus_unavailable');
      },
    });
    await projector.waitFor((await append('thing-1', 'a')).position, timeoutMs);
    deepEqual(await seen(), ['a']);
    equal(attempts, 2);
    deepEqual(failures, []);
  });

  test('continues after its connection was cut', async () => {
    const projector = start();
    await projector.waitFor((await append('thing-1', 'a')).position, timeoutMs);
    await database.query({
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = $1 AND pid <> pg_backend_pid()`,
      values: [`sluice.${database.schema}`],
    });
    equal(await projector.waitFor((await append('thing-1', 'b')).position, timeoutMs), true);
    deepEqual(await seen(), ['a', 'b']);
  });

  test('says after the time-out that a position was not reached', async () => {
    const projector = start();
    const { position } = await append('thing-1', 'a');
    await projector.waitFor(position, timeoutMs);
    const beyond = { commit: position.commit + 1n, prepare: position.prepare + 1n };
    equal(await projector.waitFor(beyond, 20), false);
    equal(await projector.waitFor(undefined, 20), true);
  });
});

describe('an event that cannot be applied', () => {
  const refusing = async (transaction: Queryable, events: readonly RecordedEvent[]) => {
    await note(transaction, events);
    if (events.some(({ data }) => textOf(data) === 'poison')) throw new TypeError('cannot');
  };

  const skip = (eventId = '') =>
    skipEvent(database, { eventId, skippedBy: 'system cli', reason: 'half written' });
  const asideAt = async () =>
    (await standingOf(database)).standstills.map(({ stream, eventId }) => [stream, eventId]);

  test('sets its stream aside, says which it is, and the other streams go on', async () => {
    await append('thing-1', 'a', 'poison', 'b');
    const projector = start({ apply: refusing });
    await eventually(() => equal(failures.length, 1));
    const [poison] = await poisons();
    deepEqual(failures, [
      {
        projection: 'test.things',
        eventId: poison,
        stream: 'thing-1',
        error: new TypeError('cannot'),
      },
    ]);
    const { position } = await append('thing-2', 'c');
    await eventually(async () => equal(await projector.waitFor(position, 1_000), true));
    deepEqual(await seen(), ['a', 'c']);
    const [reason = ''] = projector.degradation();
    equal(reason, `projection test.things sets aside thing-1 at event ${poison}`);
    deepEqual(projector.unreadiness(), []);
    deepEqual([projector.status().stopped, projector.status().streamsSetAside], [false, 1]);
  });

  test('leaves the other projections running', async () => {
    await append('thing-1', 'poison');
    start({ apply: refusing });
    const healthy = start({ projection: 'test.other' });
    await eventually(() => equal(failures.length, 1));
    equal(await healthy.waitFor((await append('thing-1', 'a')).position, timeoutMs), true);
    deepEqual(await seen(), ['poison', 'a']);
  });

  test('is named anew after a restart, which leaves everything else as it was', async () => {
    await append('thing-1', 'a', 'poison');
    const first = start({ apply: refusing });
    await eventually(async () => equal((await asideAt()).length, 1));
    const [before] = (await standingOf(database)).standstills;
    await first.stop();
    const { position } = await append('thing-2', 'b');
    const second = start({ apply: refusing });
    await eventually(async () => equal(await second.waitFor(position, 1_000), true));
    match(
      second.degradation().join(),
      new RegExp(`sets aside thing-1 at event ${before?.eventId}`),
    );
    equal(second.isComplete(), true);
    deepEqual(await asideAt(), [['thing-1', before?.eventId]]);
    deepEqual(await seen(), ['a', 'b']);
  });

  test('is skipped when told to, and what its stream got since then is applied', async () => {
    await append('thing-1', 'a', 'poison', 'b', 'poison', 'c');
    const [one = '', other = ''] = await poisons();
    const projector = start({ apply: refusing });
    const { position } = await append('thing-2', 'x');
    await eventually(async () => equal(await projector.waitFor(position, 1_000), true));
    await append('thing-1', 'd');
    deepEqual(await asideAt(), [['thing-1', one]]);
    equal(await skip(other), false, 'nothing stands there');
    equal(await skip(randomUUID()), false);
    equal(await skip(one), true);
    equal(await skip(one), true);
    await eventually(async () => deepEqual(await asideAt(), [['thing-1', other]]));
    deepEqual(await seen(), ['a', 'x', 'b']);
    equal(await skip(other), true);
    await eventually(async () => deepEqual(await seen(), ['a', 'x', 'b', 'c', 'd']));
    equal(await projectedAfter(projector, 'e'), true);
    deepEqual([await asideAt(), projector.degradation()], [[], []]);
    const { skipped } = await standingOf(database);
    deepEqual(
      skipped.map(({ eventId, stream, skippedBy, reason }) => [eventId, stream, skippedBy, reason]),
      [one, other].map((id) => [id, 'thing-1', 'system cli', 'half written']),
    );
    await projector.stop();
    await database.query({ text: 'DELETE FROM checkpoints', values: [] });
    await database.query({ text: 'DELETE FROM notes', values: [] });
    equal(await projectedAfter(start({ apply: refusing }), 'f'), true);
    deepEqual(await seen(), ['a', 'b', 'c', 'x', 'd', 'e', 'f']);
  });

  test('that a reaction meets behind another one is the one that is named', async () => {
    await append('thing-1', 'a', 'poison');
    const [, poison] = await Array.fromAsync(eventStore.read('thing-1'));
    ok(poison);
    const reading = async () => {
      throw new UnreadableEvent(poison, new TypeError('cannot'));
    };
    start({ apply: reading });
    await eventually(async () => deepEqual(await asideAt(), [['thing-1', poison.id]]));
  });

  test('that another program can apply is no standstill of this one either', async () => {
    await append('thing-1', 'poison', 'a');
    const projector = start({ apply: refusing });
    await eventually(async () => equal((await asideAt()).length, 1));
    await projector.stop();
    equal(await projectedAfter(start(), 'b'), true);
    deepEqual([await asideAt(), await seen()], [[], ['poison', 'a', 'b']]);
  });

  test('stops the projection when more than a hundred streams have one', async () => {
    const rows = Array.from({ length: setAsideMax }, (_, index) => `thing-x${index}`);
    const projector = start({
      apply: async () => {
        // The rows look as if this program had failed at all of these before.
        await database.query({
          text: `INSERT INTO standstills (projection, version, event_id, stream, type,
                   commit_position, prepare_position)
                 SELECT 'test.things', 1, 'e', stream, 'ThingNoted', 0, 0
                 FROM unnest($1::text[]) stream ON CONFLICT DO NOTHING`,
          values: [rows],
        });
        throw new TypeError('cannot');
      },
    });
    await append('thing-1', 'a');
    await eventually(() => match(projector.degradation().join(), /stopped: more than 100 streams/));
    equal(projector.status().stopped, true);
  });

  /** Waits as a process does that has just written. The projection may have to learn of a skip first. */
  const projectedAfter = async (projector: Projector, text: string) => {
    const { position } = await append('thing-1', text);
    await eventually(async () => equal(await projector.waitFor(position, 1_000), true));
    return true;
  };

  const poisons = async () => {
    const events = await Array.fromAsync(eventStore.read('thing-1'));
    return events.filter(({ data }) => textOf(data) === 'poison').map(({ id }) => id);
  };

  test('is no failure when a batch fails but each event alone does not', async () => {
    const { position } = await append('thing-1', 'a', 'b');
    const projector = start({
      apply: async (transaction, events) => {
        if (events.length > 1) throw new RangeError('too many at once');
        await note(transaction, events);
      },
    });
    equal(await projector.waitFor(position, timeoutMs), true);
    const next = await append('thing-1', 'c');
    equal(await projector.waitFor(next.position, timeoutMs), true);
    deepEqual(await seen(), ['a', 'b', 'c']);
  });
});

describe('events of somebody else', () => {
  const foreign = (stream: string, type: string, metadata: object = {}) =>
    eventStore.append(
      stream,
      [{ id: randomUUID(), type, data: {}, metadata: metadata as EventMetadata }],
      'any',
    );

  test('are skipped, counted and told once a stream; the checkpoint moves over them', async () => {
    const told: unknown[] = [];
    const logger = {
      info: () => {},
      warn: (_message: string, { stream, type }: { stream?: string; type?: string }) =>
        void told.push([stream, type]),
      error: (_message: string, failure: unknown) => void failures.push(failure),
    };
    await foreign('thing-evil', 'ThingNoted');
    await append('thing-1', 'a');
    await foreign('thing-1', 'Noted', { schemaVersion: 1 });
    await foreign('thing-evil', '$streamDeleted');
    const projector = start({ logger });
    equal(await projector.waitFor((await append('thing-1', 'b')).position, timeoutMs), true);
    const { position } = await foreign('thing-evil', 'ThingNoted');
    equal(await projector.waitFor(position, timeoutMs), true, 'also where nothing of ours follows');
    deepEqual(await seen(), ['a', 'b']);
    deepEqual(failures, []);
    deepEqual(told, [
      ['thing-evil', 'ThingNoted'],
      ['thing-1', 'Noted'],
    ]);
    match(await telemetry.prometheus(), /projection_foreign_events_total\{[^}]*\} 4\b/);
  });

  test('do not hide an event of ours that cannot be applied', async () => {
    await foreign('thing-1', 'Noted');
    await append('thing-1', 'a');
    start({ apply: () => Promise.reject(new TypeError('cannot')) });
    await eventually(() => equal(failures.length, 1));
  });
});

describe('the metrics of a projector', () => {
  const metric = async (name: string, projection = 'test.things') =>
    Number(
      (await telemetry.prometheus())
        .split('\n')
        .find((line) => line.startsWith(`${name}{`) && line.includes(`projection="${projection}"`))
        ?.split(' ')
        .at(-1),
    );

  test('say who is active, where it stands and that nothing waits', async () => {
    const projector = start();
    start({ projection: 'test.other', apply: async () => undefined });
    const { position } = await append('thing-1', 'a');
    await projector.waitFor(position, timeoutMs);
    await eventually(async () => equal(await metric('projection_lag_seconds'), 0));
    await eventually(async () => equal(await metric('projection_active', 'test.other'), 1));
    equal(await metric('projection_active'), 1);
    equal(await metric('projection_position'), Number(position.commit));
    equal(await metric('projection_rebuilds'), 0);
    await projector.stop();
    equal(await metric('projection_active'), 0);
    equal(await metric('projection_active', 'test.other'), 1);
  });

  test('count an event that cannot be applied, and the streams that are set aside', async () => {
    start({ apply: () => Promise.reject(new TypeError('cannot')) });
    await append('thing-1', 'a');
    await eventually(async () => equal(await metric('projection_stopped'), 1));
    await append('thing-2', 'a');
    await eventually(async () => equal(await metric('projection_stopped'), 2));
    equal(await metric('projection_failures_total'), 2);
    await eventually(async () => equal(await metric('projection_active'), 1));
    await eventually(async () => equal(await metric('projection_lag_seconds'), 0));
  });

  test('show a lag while the read model cannot be written', async () => {
    start({ apply: () => Promise.reject(new Fault('bus_unavailable')) });
    await append('thing-1', 'a');
    await eventually(async () => ok((await metric('projection_lag_seconds')) > 0));
    equal(failures.length, 0);
    equal(await metric('projection_failures_total'), 0);
  });
});

describe('two processes with one read model', () => {
  test('take turns: one writes, the other follows and takes over', async () => {
    const own = openDatabase({
      url: inject('postgresUrl'),
      schema: database.schema,
      connectionsMax: 2,
    });
    await migrate(own, migrations);
    const first = start();
    await first.waitFor((await append('thing-1', 'a')).position, timeoutMs);
    const second = start({ database: own });
    const { position } = await append('thing-1', 'b');
    equal(await second.waitFor(position, timeoutMs), true, 'the one that follows sees it too');
    await eventually(() => deepEqual(second.unreadiness(), []));
    await first.stop();
    equal(await second.waitFor((await append('thing-1', 'c')).position, timeoutMs), true);
    deepEqual(await seen(), ['a', 'b', 'c']);
    await second.stop();
    await own.stop();
  });
});

type Overrides = Partial<Omit<ProjectorOptions, 'projection'>> & Partial<Projection>;

function start(overrides: Overrides = {}): Projector {
  const { projection = 'test.things', version = 1, apply = note, ...rest } = overrides;
  const projector = startProjector({
    eventStore,
    database,
    projection: { projection, version, streamPrefixes: ['thing-'], tables: ['notes'], apply },
    logger: {
      info: () => {},
      warn: () => {},
      error: (_message, failure) => void failures.push(failure),
    },
    telemetry,
    ...rest,
  });
  running.push(projector);
  return projector;
}

async function note(transaction: Queryable, events: readonly RecordedEvent[]): Promise<void> {
  for (const { data } of events)
    await transaction.query({
      text: 'INSERT INTO notes (text) VALUES ($1)',
      values: [textOf(data)],
    });
}

const textOf = (data: unknown) => (data as { text: string }).text;

async function seen(): Promise<readonly string[]> {
  const text = 'SELECT text FROM notes ORDER BY number';
  const rows = await database.query<{ text: string }>({ text, values: [] });
  return rows.map((row) => row.text);
}

async function append(stream: string, ...texts: readonly string[]) {
  const commandId = randomUUID();
  const events = texts.map((text) => ({
    id: randomUUID(),
    type: 'ThingNoted',
    data: { text },
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId,
      actor: { type: 'system' as const, id: 'spec' },
      requestId: 'req-1',
      $correlationId: 'req-1',
      $causationId: commandId,
    },
  }));
  ok(events.length > 0);
  return await eventStore.append(stream, events, 'any');
}
