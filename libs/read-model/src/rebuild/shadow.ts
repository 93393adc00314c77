import type { EventStore, Position, RecordedEvent } from '@sluice/es';
import { setTimeout as delay } from 'node:timers/promises';
import {
  applyBatch,
  type Batch,
  type FreshEvents,
  freshEvents,
  PoisonedEvent,
  writeEvents,
} from '../apply-batch.ts';
import type { Connection } from '../connection.ts';
import { openDatabase, type Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { type Projection, type ReadModels, subscribedPrefixes } from '../projection.ts';
import { rebuildLock, tryLock } from '../session-lock.ts';
import { skippedIds } from '../standstill/skipped-events.ts';
import { loadStandstills } from '../standstill/standstill.ts';
import { StreamsSetAside } from '../standstill/streams-set-aside.ts';
import { isPlainName, type Queryable } from '../statement.ts';
import { liveCheckpoint, requireMigrated, requireSameMigrations } from './live.ts';
import { readLog } from './read-log.ts';
import { ProgressReport, type RebuildProgress } from './rebuild-progress.ts';
import { RebuildRefused } from './refused.ts';

export interface RebuildOptions {
  /** postgres://user:password@host:port/database */
  readonly postgresUrl: string;
  readonly eventStore: Pick<EventStore, 'subscribe' | 'read'>;
  readonly readModels: Pick<ReadModels, 'schema' | 'migrations'>;
  readonly projection: Projection;
  /** The log is no longer the one that the live rows were made from: they go on where the rebuilt ones end. */
  readonly takesOtherLog?: boolean;
  /** Called about once a second while events are applied. */
  readonly onProgress: (progress: RebuildProgress) => void;
  /** Ends it with the signal's reason; the live read model stays as it is. */
  readonly signal: AbortSignal;
}

/** Comparisons of whole tables take their time. */
const statementTimeoutMs = 10 * 60_000;
const lockAttempts = 4;
const lockRetryMs = 250;

interface ShadowPlace extends Pick<Shadow, 'connection' | 'schema'> {
  readonly target: Position;
  /** Left out of the rebuilt rows, as they are of the live ones. */
  readonly skipped: ReadonlySet<string>;
  /** Streams that the live projection sets aside. */
  readonly liveAside: ReadonlySet<string>;
}

/** The same tables, empty, in a schema beside the live one, and how far they have been filled. */
export class Shadow {
  readonly connection: Connection;
  readonly schema: string;
  readonly #options: RebuildOptions;
  readonly #signal: AbortSignal;
  readonly #progress: ProgressReport;
  /** Streams with an event that cannot be applied: the live projection sets them aside too. */
  readonly #aside: StreamsSetAside;
  readonly #liveAside: ReadonlySet<string>;
  position: Position | undefined;

  constructor(options: RebuildOptions, place: ShadowPlace) {
    const { connection, schema, target, skipped, liveAside } = place;
    this.#liveAside = liveAside;
    this.#options = options;
    this.connection = connection;
    this.schema = schema;
    const { projection, eventStore } = options;
    const database = { schema, query: connection.query.bind(connection) };
    this.#aside = new StreamsSetAside({ database, eventStore, projection, skipped });
    this.#signal = AbortSignal.any([options.signal, connection.lost]);
    this.#progress = new ProgressReport(target, options.onProgress);
  }

  get events(): number {
    return this.#progress.events;
  }

  /** Returns a reason for each stream that is set aside. A reason completes "the projection". */
  get setAside(): readonly string[] {
    return this.#aside.reasons();
  }

  get streamsSetAside(): number {
    return this.#aside.size;
  }

  /**
   * Applies what is in the log (up to `until`), in transactions of its own. Sets aside a stream with an event that
   * cannot be applied if the live projection does so, or the log is another one. Throws PoisonedEvent otherwise, as
   * live rows would be replaced by older ones.
   */
  async catchUp(until?: Position): Promise<void> {
    for (;;)
      try {
        return await this.#catchUp(until);
      } catch (error) {
        if (!(error instanceof PoisonedEvent) || !this.#mayLack(error.event)) throw error;
        if (!(await this.#aside.add(error))) throw error;
      }
  }

  #mayLack({ stream }: RecordedEvent): boolean {
    return this.#options.takesOtherLog === true || this.#liveAside.has(stream);
  }

  async #catchUp(until: Position | undefined): Promise<void> {
    await this.#read(until, (fresh, from) =>
      applyBatch(
        this.connection,
        this.#options.projection,
        fresh,
        notLive(from),
        ({ position }) => {
          this.position = position;
        },
      ),
    );
  }

  /** When the work fails, nothing of it was done, here as in the tables. */
  async transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    const { position, events } = this;
    try {
      return await this.connection.transaction(work);
    } catch (error) {
      this.position = position;
      this.#progress.events = events;
      throw error;
    }
  }

  /** Catches up in a transaction that is open already. */
  async catchUpWithin(transaction: Queryable, until?: Position): Promise<void> {
    await this.#read(until, async (fresh, from) => {
      if (fresh.reached === undefined) return;
      const between = { ...notLive(from), to: fresh.reached };
      await writeEvents(transaction, this.#options.projection, fresh.events, between);
      this.position = fresh.reached;
    });
  }

  async #read(
    until: Position | undefined,
    apply: (fresh: FreshEvents, from: Position | undefined) => Promise<void>,
  ): Promise<void> {
    const { eventStore, projection } = this.#options;
    const streamPrefixes = subscribedPrefixes(projection);
    const range = { after: this.position, ...(until ? { until } : {}) };
    const log = readLog({ eventStore, streamPrefixes, ...range, signal: this.#signal });
    for await (const batch of log) {
      const fresh = freshEvents(projection, batch, this.position, (event) =>
        this.#aside.holdsBack(event),
      );
      await apply(fresh, this.position);
      if (this.position) this.#progress.applied(fresh.events.length, this.position);
    }
  }
}

/** The event store may be one that the operator has not accepted yet: its events are not noted. */
function notLive(from: Position | undefined): Batch {
  return { from, installation: undefined };
}

/**
 * Gives `work` an empty shadow of the service's schema and drops it afterwards. The lock that keeps a
 * second rebuild out is held by the connection that writes the shadow. What a killed one has left
 * behind is dropped first.
 */
export async function inShadow<Result>(
  options: RebuildOptions,
  work: (shadow: Shadow) => Promise<Result>,
): Promise<Result> {
  const { postgresUrl: url, readModels, projection } = options;
  const schema = shadowSchema(readModels.schema, projection);
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  const connection = await database.connect();
  try {
    await requireMigrated(connection, readModels.schema);
    await lockRebuild(connection, options);
    const { position: target } = await liveCheckpoint(connection, readModels.schema, projection);
    try {
      await createShadow(connection, database, readModels);
      const skipped = await skippedIds(connection, readModels.schema, projection.projection);
      const aside = await loadStandstills(connection, readModels.schema, projection);
      const liveAside = new Set(aside.map(({ stream }) => stream));
      return await work(new Shadow(options, { connection, schema, target, skipped, liveAside }));
    } finally {
      // If this fails, the next rebuild drops the schema.
      await dropSchema(connection, schema).catch(() => undefined);
    }
  } finally {
    await connection.close();
    await database.stop();
  }
}

function shadowSchema(schema: string, { projection, tables }: Projection): string {
  if (tables.length === 0)
    throw new RebuildRefused(`${projection} keeps no tables: there is nothing to rebuild.`);
  const name = `${schema}_rebuild_${projection.replace(/^[^.]*\./, '')}`;
  const wrong = [name, ...tables].find((each) => !isPlainName(each));
  if (wrong !== undefined) throw new RebuildRefused(`"${wrong}" is no plain name.`);
  return name;
}

async function lockRebuild(
  connection: Connection,
  { readModels, projection }: RebuildOptions,
): Promise<void> {
  for (let attempt = 1; attempt <= lockAttempts; attempt++) {
    if (await tryLock(connection, rebuildLock(readModels.schema, projection))) return;
    // PostgreSQL needs a moment to notice that a process is dead.
    await delay(lockRetryMs);
  }
  throw new RebuildRefused(
    `Another rebuild or comparison of ${projection.projection} is running: wait until it has ended.`,
  );
}

async function createShadow(
  connection: Connection,
  database: Database,
  { schema, migrations }: RebuildOptions['readModels'],
): Promise<void> {
  await dropSchema(connection, database.schema);
  await migrate(database, migrations);
  await requireSameMigrations(connection, { schema, shadow: database.schema });
  // A crash makes the shadow worthless anyway; the commit of the switch flushes all that came before.
  await connection.query({ text: 'SET synchronous_commit = off', values: [] });
}

async function dropSchema(connection: Queryable, schema: string): Promise<void> {
  await connection.query({ text: `DROP SCHEMA IF EXISTS "${schema}" CASCADE`, values: [] });
}
