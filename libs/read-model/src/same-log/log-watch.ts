import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import {
  comparePositions,
  type EventMark,
  type EventStore,
  installationStream,
  isOwnEvent,
  type Position,
  type RecordedEvent,
} from '@sluice/es';
import type { Telemetry } from '@sluice/telemetry';
import type { Database } from '../database.ts';
import { isPassing } from '../failure.ts';
import { eventsSkippedByAll } from '../standstill/skipped-events.ts';
import { type Divergence, divergenceText, EventStoreDiverged } from './divergence.ts';
import { appliedMark, insertMarks, type KnownLog, loadKnownLog, type Mark } from './known-log.ts';
import { standingReasons } from './standing-reasons.ts';
import { verifyLog } from './verify.ts';

export interface LogWatchOptions {
  readonly eventStore: EventStore;
  /** The database of the read models. Its schema must be migrated when the watch starts. */
  readonly database: Database;
  readonly logger: LogWatchLogger;
  readonly telemetry: Pick<Telemetry, 'observe'>;
  /** Between two looks at the end of the log; 5 s when absent. */
  readonly lookEveryMs?: number;
}

export interface LogWatchLogger {
  info(message: string): void;
  warn(message: string, fields: { error: unknown }): void;
  error(message: string, fields: { code: string; eventId: string; stream: string }): void;
}

const lookEveryMsDefault = 5_000;
/** While the log is not known to be the same. */
const lookAgainMsMax = 1_000;
const notedMax = 1_024;
const keepAfterMs = 200;
const verificationsMax = 5;

/**
 * Knows whether the log is the one that the read models were made from. Compares one event at the start, after
 * each break of the connection, and at an interval. While the log differs, nothing that depends on it goes on.
 */
export class LogWatch {
  readonly #options: LogWatchOptions;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> | undefined;
  #state: 'off' | 'unverified' | 'same' | 'diverged' = 'off';
  #through: Position | undefined;
  /** The newest event of all services when the log was compared last. */
  #compared: Position | undefined;
  #divergence: Divergence | undefined;
  #divergences = 0;
  #diverging = new AbortController();
  #breaks = 0;
  #known: KnownLog | undefined;
  #noted: Mark[] = [];
  #keeping: NodeJS.Timeout | undefined;
  /** Events that an operator skipped. */
  skipped: ReadonlySet<string> = new Set();
  #verification: Promise<Position | undefined> | undefined;
  #nextVerification: Promise<Position | undefined> | undefined;

  constructor(options: LogWatchOptions) {
    this.#options = options;
    const attributes = { service: options.database.schema };
    const isDiverged = () => (this.#state === 'diverged' ? 1 : 0);
    options.telemetry.observe('eventstore.diverged', isDiverged, attributes);
    const isUnavailable = () => standingReasons(options.eventStore.standing?.()).length;
    options.telemetry.observe('eventstore.unavailable', isUnavailable, attributes);
  }

  /** Begins to look; until then everything passes. */
  start(): void {
    if (this.#state !== 'off') return;
    this.#state = 'unverified';
    this.#running = Promise.all([this.#look(), this.#listen()]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#keepNoted().catch(() => undefined);
  }

  get divergence(): Divergence | undefined {
    return this.#divergence;
  }

  /** Counts the times that the log was found to differ. */
  get divergences(): number {
    return this.#divergences;
  }

  /** Aborts when the log is found to differ. */
  get diverging(): AbortSignal {
    return this.#diverging.signal;
  }

  /** Throws EventStoreDiverged when the log is known to differ. */
  assertNotDiverged(): void {
    if (this.#divergence) throw new EventStoreDiverged(this.#divergence);
  }

  /**
   * Up to where the log is known to be the same. Waits for the verification that is under way or due. Throws
   * EventStoreDiverged, or the Fault of what is away.
   */
  async verified(): Promise<Position | undefined> {
    this.assertNotDiverged();
    if (this.#state !== 'unverified') return this.#through;
    return await (this.#verification ?? this.verifyAnew());
  }

  /** Like `verified`, with a comparison that starts now. */
  async verifyAnew(): Promise<Position | undefined> {
    if (this.#state === 'off') return undefined;
    const running = this.#verification;
    if (running === undefined) {
      this.#verification = this.#verify().finally(() => {
        this.#verification = undefined;
      });
      return await this.#verification;
    }
    this.#nextVerification ??= running
      .catch(() => undefined)
      .then(() => {
        this.#nextVerification = undefined;
        return this.verifyAnew();
      });
    return await this.#nextVerification;
  }

  /**
   * Waits until the log is known to be the same after an append. A new event lies behind all that are known, so an
   * earlier place is that of a repeated append, or of another log that nothing has shown yet.
   */
  async verifiedAfter(appended: Position): Promise<void> {
    const isNew = isBehind(this.#compared, appended);
    await (isNew ? this.verified() : this.verifyAnew());
  }

  /** Counts the histories that operators have accepted. Not known before the first comparison. */
  get histories(): number | undefined {
    return this.#known?.histories;
  }

  /** The connection broke: another store may answer from now on. */
  noteBreak(): void {
    this.#breaks += 1;
    if (this.#state === 'same') this.#state = 'unverified';
  }

  /** Notes applied events. The newest are kept, so that `diff` can name the events that a store lacks. */
  noteApplied(events: readonly RecordedEvent[]): void {
    const newest = events.filter(isOwnEvent).slice(-notedMax);
    this.#noted = [...this.#noted, ...newest.map(appliedMark)].slice(-notedMax);
    this.#keeping ??= setTimeout(() => void this.#keepNoted().catch(() => undefined), keepAfterMs);
    const last = newest.at(-1);
    if (last && this.#state === 'same' && isBehind(this.#through, last.position))
      this.#through = last.position;
  }

  async loadSkipped(): Promise<void> {
    this.skipped = await eventsSkippedByAll(this.#options.database);
  }

  async #verify(): Promise<Position | undefined> {
    const { eventStore, database } = this.#options;
    const { signal } = this.#stopping;
    for (let verification = 1; verification <= verificationsMax; verification++) {
      const breaks = this.#breaks;
      try {
        const known = await this.#loadKnown();
        const { position } = await verifyLog({ eventStore, database, signal }, known);
        if (breaks !== this.#breaks) continue;
        this.#hold(position);
        return position;
      } catch (error) {
        if (error instanceof EventStoreDiverged) this.#diverge(error.divergence);
        throw error;
      }
    }
    throw new Fault('event_store_unavailable', {
      message: 'The event store does not stay connected',
    });
  }

  /** Reads the known log; the last known one while PostgreSQL is away. */
  async #loadKnown(): Promise<KnownLog> {
    try {
      const { database } = this.#options;
      this.#known = await loadKnownLog(database, database.installation);
    } catch (error) {
      if (!isPassing(error) || this.#known === undefined) throw error;
    }
    return this.#known;
  }

  #hold(position: Position): void {
    if (this.#state === 'diverged') {
      this.#options.logger.info('the event store is the one that the read models know again');
      this.#divergence = undefined;
      this.#diverging = new AbortController();
      // Marks of the other log are not to be looked for in this one.
      this.#noted = [];
    }
    this.#state = 'same';
    this.#through = position;
    this.#compared = position;
  }

  #diverge(divergence: Divergence): void {
    const isNew = this.#state !== 'diverged';
    this.#state = 'diverged';
    this.#divergence = divergence;
    if (!isNew) return;
    this.#divergences += 1;
    const { id: eventId, stream } = divergence.missing;
    const fields = { code: 'event_store_diverged', eventId, stream };
    this.#options.logger.error(divergenceText(divergence), fields);
    this.#diverging.abort();
  }

  /** Compares at an interval, and remembers where the log ended. */
  async #look(): Promise<void> {
    const { signal } = this.#stopping;
    const { lookEveryMs = lookEveryMsDefault, logger } = this.#options;
    while (!signal.aborted) {
      try {
        // The end comes first: after the comparison it could be that of a log that was put in place since.
        const end = await this.#options.eventStore.end();
        await this.loadSkipped();
        await this.verifyAnew();
        await this.#keepNoted();
        await this.#markEnd(end);
      } catch (error) {
        if (!isPassing(error) && !signal.aborted)
          logger.warn('the event store could not be compared with the read models', { error });
      }
      const pauseMs = this.#state === 'same' ? lookEveryMs : Math.min(lookEveryMs, lookAgainMsMax);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Subscribes to learn of each break, also in a process without projections. */
  async #listen(): Promise<void> {
    const { eventStore, logger, lookEveryMs = lookEveryMsDefault } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const end = await eventStore.end();
        const messages = eventStore.subscribe({
          after: end?.position ?? 'start',
          streamPrefixes: [installationStream],
          signal,
          onOpen: async () => void (await this.verifyAnew()),
          onBreak: () => this.noteBreak(),
        });
        const iterator = messages[Symbol.asyncIterator]();
        while ((await iterator.next()).done !== true);
      } catch (error) {
        if (!isPassing(error) && !signal.aborted)
          logger.warn('the event store is not listened to', { error });
      }
      this.noteBreak();
      const pauseMs = Math.min(lookEveryMs, lookAgainMsMax);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #markEnd(end: EventMark | undefined): Promise<void> {
    if (end === undefined || !isBehind(this.#through, end.position) || this.#state !== 'same')
      return;
    const seen = { ...end, isApplied: false, occurredAt: undefined, actor: undefined };
    await insertMarks(this.#options.database, [seen]);
    this.#through = end.position;
  }

  /** Writes the noted marks. A process may lose its last ones: the checkpoints have the last event of each. */
  async #keepNoted(): Promise<void> {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    const noted = this.#noted;
    await insertMarks(this.#options.database, [
      ...new Map(noted.map((one) => [one.id, one])).values(),
    ]);
    this.#noted = this.#noted.slice(noted.length);
  }
}

function isBehind(through: Position | undefined, position: Position): boolean {
  return through === undefined || comparePositions(position, through) > 0;
}
