import { setTimeout as delay } from 'node:timers/promises';
import {
  comparePositions,
  type Position,
  type RecordedEvent,
  type SubscriptionMessage,
} from '@sluice/es';
import { applyBatch, freshEvents, PoisonedEvent } from './apply-batch.ts';
import { type Checkpoint, CheckpointMoved, loadCheckpoint } from './checkpoint.ts';
import type { Connection } from './connection.ts';
import { interrupted, isDivergence, isPassing } from './failure.ts';
import { ForeignEvents } from './foreign-events.ts';
import { Lag } from './lag.ts';
import { observeProjector } from './observe-projector.ts';
import { Progress } from './progress.ts';
import { subscribeFor } from './projection.ts';
import type { ProjectorStatus } from './projector-status.ts';
import type { Projector, ProjectorOptions } from './projector-options.ts';
import { ProjectorReadiness } from './projector-readiness.ts';
import { projectorLock, tryLock } from './session-lock.ts';
import { skippedIds } from './standstill/skipped-events.ts';
import { endStandstill } from './standstill/standstill.ts';
import { untilFreed } from './standstill/until-freed.ts';

const lockRetryMs = 500;
/** Milliseconds between the checks of the active process whether its checkpoint was moved. */
const lookForMoveMs = 5_000;
const retryMsMin = 100;
const retryMsMax = 5_000;
/** How often a process that is not the active one looks how far the other has come. */
const followMs = 25;

/**
 * Keeps one read model: a catch-up subscription whose checkpoint moves in the transaction of the rows. Of several
 * processes one is active, by a session lock on the very connection that writes: who loses the lock can no longer
 * write. The others wait and take over. When a rebuild has moved the checkpoint, it goes on from there. At an event
 * that it cannot apply it stands still until that one is skipped.
 */
export function startProjector(options: ProjectorOptions): Projector {
  const running = new RunningProjector(options);
  const projector: Projector = {
    status: () => running.status(),
    waitFor: (position, timeoutMs) => running.waitFor(position, timeoutMs),
    isComplete: () => running.isComplete(),
    unreadiness: () => running.readiness.unreadiness(),
    degradation: () => running.readiness.degradation(),
    stop: () => running.stop(),
  };
  observeProjector(options.telemetry, options.projection, () => running.status());
  return projector;
}

interface Reached {
  /** The checkpoint as it is stored. */
  readonly from: Position | undefined;
  /** Events up to here are redeliveries. */
  readonly after: Position | undefined;
  readonly caughtUp: boolean;
}

class RunningProjector {
  readonly #progress = new Progress();
  readonly #lag = new Lag();
  readonly readiness: ProjectorReadiness;
  readonly #options: ProjectorOptions;
  readonly #foreign: ForeignEvents;
  readonly #name: { readonly projection: string };
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #active = false;
  #rebuilds = 0;
  #mayStandStill = true;
  #skippedIds: ReadonlySet<string> = new Set();
  #divergences = 0;
  #hasHistory: boolean | undefined;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    const { projection, eventStore } = options;
    this.readiness = new ProjectorReadiness(projection, eventStore);
    this.#name = { projection: options.projection.projection };
    this.#foreign = new ForeignEvents(this.#name, options.logger, options.telemetry);
    this.#running = this.#run();
  }

  status(): ProjectorStatus {
    const lagSeconds = this.#lag.seconds();
    const { position } = this.#progress;
    const stopped = this.readiness.failure !== undefined;
    return { active: this.#active, stopped, lagSeconds, position, rebuilds: this.#rebuilds };
  }

  isComplete(): boolean {
    return this.readiness.caughtUpOnce || this.#hasHistory === true;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#progress.wake();
    await this.#running;
    this.#lag.none();
  }

  async waitFor(position: Position | undefined, timeoutMs: number): Promise<boolean> {
    if (position === undefined) return true;
    this.#forgetOtherLog();
    const deadlineMs = performance.now() + timeoutMs;
    for (;;) {
      if (!this.#active && !this.#progress.reached(position)) await this.#follow();
      if (this.#progress.reached(position)) return true;
      const leftMs = deadlineMs - performance.now();
      const hopeless = this.readiness.failure !== undefined || this.#stopping.signal.aborted;
      if (leftMs <= 0 || hopeless) return false;
      await this.#progress.change(this.#active ? leftMs : Math.min(leftMs, followMs));
    }
  }

  /** Positions of a log that turned out to be another one say nothing. */
  #forgetOtherLog(): void {
    const divergences = this.#options.eventStore.divergences?.() ?? 0;
    if (divergences === this.#divergences) return;
    this.#divergences = divergences;
    this.#progress.forget();
  }

  /** Another process may be the active one: the checkpoint says how far it is. */
  async #follow(): Promise<void> {
    const { database, projection } = this.#options;
    const checkpoint = await loadCheckpoint(database, projection).catch(() => undefined);
    const known = await this.#knownPart(checkpoint).catch(() => undefined);
    // The session that began meanwhile tells how far it is, together with its readiness.
    if (this.#active) return;
    this.#progress.advance(checkpoint?.lastEvent);
    this.#progress.advance(known);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let retryMs = retryMsMin; !signal.aborted; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      let stoppedAt: RecordedEvent | undefined;
      try {
        await this.#session(() => {
          retryMs = retryMsMin;
        });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof PoisonedEvent) stoppedAt = error.event;
        if (!isPassing(error)) this.#fail(error);
        if (!isPassing(error) && !stoppedAt) return;
        if (!stoppedAt) await this.#pause(error, retryMs);
      } finally {
        this.#active = false;
        this.#progress.wake();
      }
      if (stoppedAt) await this.#standStill(stoppedAt);
    }
  }

  async #pause(thrown: unknown, retryMs: number): Promise<void> {
    const { logger } = this.#options;
    const { signal } = this.#stopping;
    this.#lag.unknown();
    if (thrown instanceof CheckpointMoved)
      logger.info('projection goes on from a checkpoint that was moved', this.#name);
    else if (!isDivergence(thrown))
      logger.warn('projection interrupted, it will continue', { ...this.#name, error: thrown });
    await delay(retryMs, undefined, { signal }).catch(() => undefined);
  }

  async #standStill(event: RecordedEvent): Promise<void> {
    const { database, projection, logger } = this.#options;
    const { signal } = this.#stopping;
    const rebuilds = this.#rebuilds;
    await untilFreed({ database, projection, event, rebuilds, signal });
    if (signal.aborted) return;
    this.readiness.failure = undefined;
    logger.info('projection tries to go on', this.#name);
  }

  async #session(onProgress: () => void): Promise<void> {
    const { database, eventStore, projection, logger } = this.#options;
    const connection = await database.connect();
    const moved = new AbortController();
    let looking: NodeJS.Timeout | undefined;
    try {
      const signal = AbortSignal.any([this.#stopping.signal, connection.lost, moved.signal]);
      await this.#lock(connection, signal);
      const checkpoint = await loadCheckpoint(connection, projection);
      this.#hasHistory ??= checkpoint !== undefined;
      let position = checkpoint?.position;
      this.readiness.begun ||= position !== undefined;
      this.#forgetOtherLog();
      let after = await this.#knownPart(checkpoint);
      this.#progress.advance(after);
      if (after) await endStandstill(connection, projection, after);
      this.#rebuilds = checkpoint?.rebuilds ?? 0;
      this.#skippedIds = await skippedIds(connection, database.schema, projection.projection);
      this.#lag.unknown();
      this.#mayStandStill = true;
      this.#active = true;
      logger.info('projection active', this.#name);
      looking = setInterval(() => void this.#lookForMove(moved, position), lookForMoveMs);
      let caughtUp = false;
      const range = { after: after ?? 'start', signal } as const;
      for await (const batch of subscribeFor(projection, eventStore, range)) {
        caughtUp ||= batch.some(({ kind }) => kind === 'caught_up');
        const before = { from: position, after, caughtUp };
        const reached = await this.#applyBatch(connection, batch, before);
        // The event it stood still at comes first: the first batch that is written is past it.
        if (reached && this.#mayStandStill) await endStandstill(connection, projection, reached);
        this.#mayStandStill &&= reached === undefined;
        if (reached) [position, after] = [reached, reached];
        this.readiness.caughtUpOnce ||= caughtUp;
        onProgress();
      }
      if (moved.signal.aborted) throw new CheckpointMoved();
      if (!this.#stopping.signal.aborted) throw interrupted();
    } finally {
      clearInterval(looking);
      await connection.close();
    }
  }

  /** An operator may have moved the checkpoint while no event came. */
  async #lookForMove(moved: AbortController, position: Position | undefined): Promise<void> {
    const { database, projection } = this.#options;
    const rebuilds = this.#rebuilds;
    const checkpoint = await loadCheckpoint(database, projection).catch(() => 'unknown' as const);
    if (checkpoint === 'unknown' || rebuilds !== this.#rebuilds) return;
    const isThere = checkpoint !== undefined || position === undefined;
    if (!isThere || (checkpoint && checkpoint.rebuilds !== rebuilds)) moved.abort();
  }

  /**
   * Returns the place from which events may be new. A checkpoint also moves over events of others, so it may lie behind
   * the place up to which the log is known to be the same.
   */
  async #knownPart(checkpoint: Checkpoint | undefined): Promise<Position | undefined> {
    const known = await this.#options.eventStore.verified?.();
    if (checkpoint === undefined || known === undefined) return checkpoint?.position;
    const { position, lastEvent } = checkpoint;
    // The log may have got other events since its own last one: those up to `known` are not applied yet.
    return comparePositions(position, known) > 0 ? (lastEvent ?? known) : position;
  }

  /** Waits until this process is the active one. Throws when the wait was broken off. */
  async #lock(connection: Connection, signal: AbortSignal): Promise<void> {
    const { database, projection } = this.#options;
    while (!signal.aborted) {
      if (await tryLock(connection, projectorLock(database.schema, projection))) return;
      // Another process holds the lock and serves the read model. This process is ready to take over.
      this.readiness.caughtUpOnce = true;
      this.#lag.none();
      await delay(lockRetryMs, undefined, { signal }).catch(() => undefined);
    }
    throw interrupted();
  }

  /** The position after the batch; undefined when nothing in it is new. */
  async #applyBatch(
    connection: Connection,
    batch: readonly SubscriptionMessage[],
    { from, after, caughtUp }: Reached,
  ): Promise<Position | undefined> {
    const { projection, eventStore, database } = this.#options;
    const at = { from, installation: database.installation };
    const fresh = freshEvents(projection, batch, after, this.#skippedIds);
    const [oldest] = fresh.events;
    if (oldest) this.#lag.behind(oldest.recordedAt);
    let position: Position | undefined;
    await applyBatch(connection, projection, fresh, at, (written) => {
      position = written.position;
      this.#rebuilds = written.rebuilds;
      this.readiness.begun = true;
      // A caller that waits for this position finds the projection ready.
      this.readiness.caughtUpOnce ||= caughtUp && position === fresh.reached;
      this.#progress.advance(position);
    });
    this.#foreign.note(fresh);
    eventStore.noteApplied?.(fresh.events);
    const newest = fresh.events.at(-1);
    if (caughtUp) this.#lag.none();
    else if (newest) this.#lag.behind(newest.recordedAt);
    return position;
  }

  #fail(thrown: unknown): void {
    const { logger, telemetry } = this.#options;
    const event = thrown instanceof PoisonedEvent ? thrown.event : undefined;
    const error = thrown instanceof PoisonedEvent ? thrown.cause : thrown;
    this.readiness.failure = event ? `stopped at event ${event.id}` : 'stopped by a failure';
    if (event) this.#lag.behind(event.recordedAt);
    else this.#lag.unknown();
    const where = event ? { eventId: event.id, stream: event.stream } : {};
    logger.error('projection stopped', { ...this.#name, error, ...where });
    telemetry.metrics.projectionFailures.add(1, this.#name);
  }
}
