import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import {
  comparePositions,
  type EventStore,
  type Position,
  type RecordedEvent,
  type SubscriptionMessage,
} from '@sluice/es';
import { loadCheckpoint, moveCheckpoint } from './checkpoint.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { isPassing } from './failure.ts';
import { Progress } from './progress.ts';
import type { Queryable } from './statement.ts';

export interface ProjectorOptions {
  readonly eventStore: Pick<EventStore, 'subscribe'>;
  readonly database: Database;
  /** `<service>.<what>`, for example `key.api_keys`. */
  readonly projection: string;
  readonly version: number;
  readonly streamPrefixes: readonly string[];
  /**
   * Writes what follows from the events, in log order, none of them seen before. A retryable Fault
   * is tried again for ever; any other error stops this projection at the event that caused it.
   */
  readonly apply: (transaction: Queryable, events: readonly RecordedEvent[]) => Promise<void>;
  readonly logger: ProjectorLogger;
  readonly onFailure: (failure: ProjectionFailure) => void;
}

export interface ProjectorLogger {
  info(message: string, fields: { projection: string }): void;
  warn(message: string, fields: { projection: string; error: unknown }): void;
  error(
    message: string,
    fields: { projection: string; error: unknown; eventId?: string; stream?: string },
  ): void;
}

export interface ProjectionFailure {
  readonly projection: string;
  /** Absent when not one event but the subscription itself was at fault. */
  readonly eventId: string | undefined;
  readonly error: unknown;
}

export interface Projector {
  /** The last position known to be in the read model. */
  position(): Position | undefined;
  /** True as soon as the read model holds what lies at `position`; false after the time-out. */
  waitFor(position: Position | undefined, timeoutMs: number): Promise<boolean>;
  /** Not yet caught up for the first time, or stopped at an event; empty otherwise. */
  unreadiness(): readonly string[];
  stop(): Promise<void>;
}

const lockRetryMs = 500;
const retryMsMin = 100;
const retryMsMax = 5_000;
/** How often a process that is not the active one looks how far the other has come. */
const followMs = 25;

class Poisoned extends Error {
  readonly event: RecordedEvent;
  constructor(event: RecordedEvent, cause: unknown) {
    super(`event ${event.id} (${event.type}) cannot be applied`, { cause });
    this.event = event;
  }
}

/**
 * Keeps one read model: a catch-up subscription whose checkpoint moves in the transaction of the
 * rows. Of several processes one is active, by a session lock on the very connection that writes:
 * who loses the lock can no longer write. The others wait and take over.
 */
export function startProjector(options: ProjectorOptions): Projector {
  const projector = new RunningProjector(options);
  return {
    position: () => projector.progress.position,
    waitFor: (position, timeoutMs) => projector.waitFor(position, timeoutMs),
    unreadiness: () => projector.unreadiness(),
    stop: () => projector.stop(),
  };
}

class RunningProjector {
  readonly progress = new Progress();
  readonly #options: ProjectorOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #active = false;
  #caughtUpOnce = false;
  #failure: string | undefined;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  unreadiness(): readonly string[] {
    const { projection } = this.#options;
    if (this.#failure !== undefined) return [`projection ${projection} ${this.#failure}`];
    return this.#caughtUpOnce ? [] : [`projection ${projection} is catching up`];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.progress.wake();
    await this.#running;
  }

  async waitFor(position: Position | undefined, timeoutMs: number): Promise<boolean> {
    if (position === undefined) return true;
    const deadlineMs = performance.now() + timeoutMs;
    for (;;) {
      if (!this.#active && !this.progress.reached(position)) await this.#follow();
      if (this.progress.reached(position)) return true;
      const leftMs = deadlineMs - performance.now();
      const hopeless = this.#failure !== undefined || this.#stopping.signal.aborted;
      if (leftMs <= 0 || hopeless) return false;
      await this.progress.change(this.#active ? leftMs : Math.min(leftMs, followMs));
    }
  }

  /** Another process may be the active one: the checkpoint says how far it is. */
  async #follow(): Promise<void> {
    const loaded = loadCheckpoint(this.#options.database, this.#options);
    this.progress.advance(await loaded.catch(() => undefined));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let retryMs = retryMsMin; !signal.aborted; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      try {
        await this.#session(() => {
          retryMs = retryMsMin;
        });
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) return this.#fail(error);
        const { logger, projection } = this.#options;
        logger.warn('projection interrupted, it will continue', { projection, error });
        await delay(retryMs, undefined, { signal }).catch(() => undefined);
      } finally {
        this.#active = false;
        this.progress.wake();
      }
    }
  }

  async #session(onProgress: () => void): Promise<void> {
    const { database, eventStore, streamPrefixes, logger, projection } = this.#options;
    const connection = await database.connect();
    try {
      const signal = AbortSignal.any([this.#stopping.signal, connection.lost]);
      await this.#lock(connection, signal);
      let position = await loadCheckpoint(connection, this.#options);
      this.progress.advance(position);
      this.#active = true;
      logger.info('projection active', { projection });
      const after = position ?? 'start';
      for await (const batch of eventStore.subscribe({ after, streamPrefixes, signal })) {
        position = await this.#applyBatch(connection, batch, position);
        this.progress.advance(position);
        if (batch.some(({ kind }) => kind === 'caught_up')) this.#caughtUpOnce = true;
        onProgress();
      }
      if (!this.#stopping.signal.aborted) throw interrupted();
    } finally {
      await connection.close();
    }
  }

  /** Waits until this process is the active one. Throws when the wait was broken off. */
  async #lock(connection: Connection, signal: AbortSignal): Promise<void> {
    const { database, projection, version } = this.#options;
    while (!signal.aborted) {
      const [row] = await connection.query<{ locked: boolean }>({
        text: 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
        values: [`sluice/projector/${database.schema}/${projection}/${version}`],
      });
      if (row?.locked) return;
      // Whoever holds it serves the read model; this process is ready to take over.
      this.#caughtUpOnce = true;
      await delay(lockRetryMs, undefined, { signal }).catch(() => undefined);
    }
    throw interrupted();
  }

  /** The position after the batch. Events at or before `position` are redeliveries: dropped. */
  async #applyBatch(
    connection: Connection,
    batch: readonly SubscriptionMessage[],
    position: Position | undefined,
  ): Promise<Position | undefined> {
    const isNew = (candidate: Position) =>
      position === undefined || comparePositions(candidate, position) > 0;
    const events = batch
      .flatMap((message) => (message.kind === 'event' ? [message.event] : []))
      .filter((event) => isNew(event.position));
    const reached = batch
      .flatMap((message) => (message.kind === 'checkpoint' ? [message.position] : []))
      .concat(events.map((event) => event.position))
      .filter(isNew)
      .toSorted(comparePositions)
      .at(-1);
    if (reached === undefined) return position;
    try {
      await this.#write(connection, events, position, reached);
    } catch (error) {
      if (isPassing(error)) throw error;
      return await this.#oneByOne(connection, events, position);
    }
    return reached;
  }

  async #write(
    connection: Connection,
    events: readonly RecordedEvent[],
    from: Position | undefined,
    to: Position,
  ): Promise<void> {
    await connection.transaction(async (transaction) => {
      if (events.length > 0) await this.#options.apply(transaction, events);
      await moveCheckpoint(transaction, this.#options, from, to);
    });
  }

  /** Everything before the event that cannot be applied still counts. */
  async #oneByOne(
    connection: Connection,
    events: readonly RecordedEvent[],
    position: Position | undefined,
  ): Promise<Position | undefined> {
    let from = position;
    for (const event of events) {
      await this.#write(connection, [event], from, event.position).catch((error: unknown) => {
        throw isPassing(error) ? error : new Poisoned(event, error);
      });
      from = event.position;
      this.progress.advance(from);
    }
    return from;
  }

  #fail(thrown: unknown): void {
    const { logger, projection, onFailure } = this.#options;
    const event = thrown instanceof Poisoned ? thrown.event : undefined;
    const error = thrown instanceof Poisoned ? thrown.cause : thrown;
    this.#failure = event ? `stopped at event ${event.id}` : 'stopped by a failure';
    const where = event ? { eventId: event.id, stream: event.stream } : {};
    logger.error('projection stopped', { projection, error, ...where });
    onFailure({ projection, eventId: event?.id, error });
  }
}

function interrupted(): Fault {
  const cause = new Error('the connection of the projection was lost, or the wait broken off');
  return new Fault('read_model_unavailable', { cause });
}
