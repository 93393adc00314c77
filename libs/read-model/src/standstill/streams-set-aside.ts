import {
  comparePositions,
  type EventStore,
  goneStreamOf,
  isOwnEvent,
  type Position,
  type RecordedEvent,
} from '@sluice/es';
import type { PoisonedEvent } from '../apply-batch.ts';
import { moveCheckpoint } from '../checkpoint.ts';
import type { Connection } from '../connection.ts';
import type { Database } from '../database.ts';
import { isPassing } from '../failure.ts';
import { brokenEvent } from './broken-event.ts';
import type { Projection } from '../projection.ts';
import type { Queryable } from '../statement.ts';
import { skippedIds } from './skipped-events.ts';
import {
  endStandstill,
  loadStandstills,
  moveStandstill,
  noteStandstill,
  type StreamSetAside,
} from './standstill.ts';

/** A projection with more broken streams than this stops: the cause is then not the events. */
export const setAsideMax = 100;
const namedMax = 3;

export interface SetAsideOptions {
  readonly database: Pick<Database, 'schema'> & Queryable;
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly projection: Projection;
  /** Events that are skipped from the beginning on. */
  readonly skipped?: ReadonlySet<string>;
}

interface Reached {
  /** The checkpoint as it is stored. */
  readonly stored: Position | undefined;
  /** The position up to which events are applied. */
  readonly applied: Position | undefined;
}

/** The streams that a projection sets aside, each from one of its events on. All other streams go on. */
export class StreamsSetAside {
  readonly #options: SetAsideOptions;
  /** Events at which this program has failed. Another program, or a skip, may pass them. */
  readonly #failedAt = new Set<string>();
  #streams: ReadonlyMap<string, StreamSetAside> = new Map();
  #skipped: ReadonlySet<string> = new Set();

  constructor(options: SetAsideOptions) {
    this.#options = options;
    this.#skipped = options.skipped ?? new Set();
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Returns true for an event that the projection leaves out for good, or must not apply yet. */
  holdsBack(event: RecordedEvent): boolean {
    if (this.#skipped.has(event.id)) return true;
    const aside = this.#streams.get(event.stream);
    return aside !== undefined && comparePositions(event.position, aside.from) >= 0;
  }

  /** Names the streams for readiness, and the event of each. */
  reasons(): readonly string[] {
    const named = [...this.#streams.values()]
      .slice(0, namedMax)
      .map(({ stream, eventId }) => `sets aside ${stream} at event ${eventId}`);
    const more = this.size - named.length;
    return more > 0 ? [...named, `sets aside ${more} more streams`] : named;
  }

  /** Sets aside the stream of an event that could not be applied. False: there are too many already. */
  async add(poisoned: PoisonedEvent): Promise<boolean> {
    const { database, projection } = this.#options;
    const broken = brokenEvent(poisoned);
    this.#failedAt.add(broken.id);
    const standing = await loadStandstills(database, database.schema, projection);
    const { stream, position: from } = poisoned.event;
    if (standing.length >= setAsideMax && !standing.some((each) => each.stream === stream))
      return false;
    await noteStandstill(database, projection, { stream, from, broken });
    this.#streams = new Map(this.#streams).set(stream, { stream, eventId: broken.id, from });
    return true;
  }

  /** Another process keeps the projection, and knows what is set aside. */
  leave(): void {
    this.#streams = new Map();
  }

  /** Reads what is set aside and skipped. Applies the events of streams that are so no more. */
  async open(connection: Connection, reached: Reached): Promise<void> {
    const { database, projection } = this.#options;
    this.#skipped = await skippedIds(connection, database.schema, projection.projection);
    for (const aside of await loadStandstills(connection, database.schema, projection))
      if (this.#mayPass(aside)) await this.#release(connection, aside, reached);
    const rest = await loadStandstills(connection, database.schema, projection);
    this.#streams = new Map(rest.map((aside) => [aside.stream, aside]));
    // Caches of such an aggregate ask again. An earlier process may have died before it sent the notice.
    if (rest.length > 0) await projection.applySetAside?.(connection, [...this.#streams.keys()]);
  }

  /** True if a stream that is set aside may go on, or is set aside no more. */
  async mayGoOn(): Promise<boolean> {
    if (this.size === 0) return false;
    const { database, projection } = this.#options;
    const skipped = await skippedIds(database, database.schema, projection.projection);
    const standing = await loadStandstills(database, database.schema, projection);
    return standing.length < this.size || standing.some(({ eventId }) => skipped.has(eventId));
  }

  #mayPass({ eventId }: StreamSetAside): boolean {
    return this.#skipped.has(eventId) || !this.#failedAt.has(eventId);
  }

  /**
   * Applies the withheld events up to the checkpoint, each in its own transaction. The subscription delivers those
   * behind it. At another broken event the stream stays set aside from there on.
   */
  async #release(
    connection: Connection,
    { stream, from }: StreamSetAside,
    { stored, applied }: Reached,
  ): Promise<void> {
    const { projection } = this.#options;
    const events = stored && applied ? await this.#withheld(stream, from, applied) : [];
    for (const [index, event] of events.entries())
      try {
        await connection.transaction(async (transaction) => {
          // The checkpoint stays where it is. It holds off a second writer and a rebuild, as in each batch.
          await moveCheckpoint(transaction, projection, stored, stored ?? event.position);
          const next = events[index + 1];
          if (next) await moveStandstill(transaction, projection, stream, next.position);
          else await endStandstill(transaction, projection, stream);
          const gone = goneStreamOf(event);
          if (isOwnEvent(event)) await projection.apply(transaction, [event]);
          else if (gone !== undefined) await projection.applyGone?.(transaction, [gone]);
        });
      } catch (cause) {
        if (isPassing(cause)) throw cause;
        const broken = brokenEvent({ event, cause });
        this.#failedAt.add(broken.id);
        await noteStandstill(connection, projection, { stream, from: event.position, broken });
        return;
      }
    if (events.length === 0) await endStandstill(connection, projection, stream);
  }

  async #withheld(
    stream: string,
    from: Position,
    applied: Position,
  ): Promise<readonly RecordedEvent[]> {
    if (comparePositions(from, applied) > 0) return [];
    const { applyGone } = this.#options.projection;
    const events: RecordedEvent[] = [];
    for await (const event of this.#options.eventStore.read(stream)) {
      if (comparePositions(event.position, applied) > 0) break;
      const isWithheld = comparePositions(event.position, from) >= 0;
      const isTaken = isOwnEvent(event) || (applyGone && goneStreamOf(event) !== undefined);
      if (isWithheld && isTaken && !this.#skipped.has(event.id)) events.push(event);
    }
    return events;
  }
}
