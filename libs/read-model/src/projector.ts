import { setTimeout as delay } from 'node:timers/promises';
import type { Position, SubscriptionMessage } from '@sluice/es';
import { applyBatch, freshEvents, PoisonedEvent } from './apply-batch.ts';
import { CheckpointMoved, loadCheckpoint } from './checkpoint.ts';
import type { Connection } from './connection.ts';
import { interrupted, isDivergence, isPassing } from './failure.ts';
import { ForeignEvents } from './foreign-events.ts';
import { knownPart } from './known-part.ts';
import { Lag } from './lag.ts';
import { observeProjector } from './observe-projector.ts';
import { Progress } from './progress.ts';
import { subscribeFor } from './projection.ts';
import type { ProjectorStatus } from './projector-status.ts';
import type { Projector, ProjectorOptions } from './projector-options.ts';
import { ProjectorReadiness } from './projector-readiness.ts';
import { reportFailure } from './report-failure.ts';
import { projectorLock, tryLock } from './session-lock.ts';
import { setAsideMax, StreamsSetAside } from './standstill/streams-set-aside.ts';

const lockRetryMs = 500;
/** Milliseconds between the checks of the active process whether its checkpoint was moved. */
const lookForMoveMs = 5_000;
/** Milliseconds between these checks while a stream is set aside, because an operator may release it. */
const lookForSkipMs = 1_000;
/** Time in which another process may take over, which perhaps can apply the event. */
const yieldMs = 1_000;
const retryMsMin = 100;
const retryMsMax = 5_000;
/** The interval at which an inactive process looks how far the active one has come. */
const followMs = 25;

/**
 * Keeps one read model: a catch-up subscription whose checkpoint moves in the transaction of the rows. Of several
 * processes one is active, by a session lock on the very connection that writes: who loses the lock can no longer
 * write. The others wait and take over. When a rebuild has moved the checkpoint, it goes on from there. At an event
 * that it cannot apply it sets aside the stream until the event is skipped, or another program can apply it. With too
 * many such streams it stops.
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
  readonly #aside: StreamsSetAside;
  readonly #name: { readonly projection: string };
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #active = false;
  #rebuilds = 0;
  #divergences = 0;
  #hasHistory: boolean | undefined;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    const { projection, eventStore } = options;
    this.readiness = new ProjectorReadiness(projection, eventStore);
    this.#aside = new StreamsSetAside(options);
    this.readiness.setAside = () => this.#aside.reasons();
    this.#name = { projection: options.projection.projection };
    this.#foreign = new ForeignEvents(this.#name, options.logger, options.telemetry);
    this.#running = this.#run();
  }

  status(): ProjectorStatus {
    const lagSeconds = this.#lag.seconds();
    const { position } = this.#progress;
    return {
      active: this.#active,
      stopped: this.readiness.failure !== undefined,
      streamsSetAside: this.#aside.size,
      lagSeconds,
      position,
      rebuilds: this.#rebuilds,
    };
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
    const known = await knownPart(this.#options.eventStore, checkpoint).catch(() => undefined);
    // The session that began meanwhile tells how far it is, together with its readiness.
    if (this.#active) return;
    this.#progress.advance(checkpoint?.lastEvent);
    this.#progress.advance(known);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let retryMs = retryMsMin; !signal.aborted; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      let poisoned: PoisonedEvent | undefined;
      try {
        await this.#session(() => {
          retryMs = retryMsMin;
        });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof PoisonedEvent) poisoned = error;
        if (!isPassing(error) && !poisoned) return this.#fail(error);
        if (!poisoned) await this.#pause(error, retryMs);
      } finally {
        this.#active = false;
        this.#progress.wake();
      }
      if (poisoned) await this.#setAside(poisoned);
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

  async #setAside(poisoned: PoisonedEvent): Promise<void> {
    const { signal } = this.#stopping;
    const wasStopped = this.readiness.failure !== undefined;
    // While PostgreSQL is away, the next session meets the event again.
    const isAside = await this.#aside.add(poisoned).catch(() => undefined);
    if (isAside === false) {
      if (!wasStopped) this.#fail(poisoned);
    } else reportFailure(this.#options, 'projection sets a stream aside', poisoned);
    await delay(isAside === false ? lookForMoveMs : yieldMs, undefined, { signal }).catch(
      () => undefined,
    );
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
      let after = await knownPart(eventStore, checkpoint);
      this.#progress.advance(after);
      this.#rebuilds = checkpoint?.rebuilds ?? 0;
      await eventStore.loadSkipped?.();
      await this.#aside.open(connection, { stored: position, applied: after });
      this.#lag.unknown();
      this.#active = true;
      logger.info('projection active', this.#name);
      const lookMs = this.#aside.size > 0 ? lookForSkipMs : lookForMoveMs;
      looking = setInterval(() => void this.#lookForMove(moved, position), lookMs);
      let caughtUp = false;
      const range = { after: after ?? 'start', signal } as const;
      for await (const batch of subscribeFor(projection, eventStore, range)) {
        caughtUp ||= batch.some(({ kind }) => kind === 'caught_up');
        const before = { from: position, after, caughtUp };
        const reached = await this.#applyBatch(connection, batch, before);
        if (reached) {
          [position, after] = [reached, reached];
          this.readiness.failure = undefined;
        }
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
    if (await this.#aside.mayGoOn().catch(() => false)) moved.abort();
  }

  /** Waits until this process is the active one. Throws when the wait was broken off. */
  async #lock(connection: Connection, signal: AbortSignal): Promise<void> {
    const { database, projection } = this.#options;
    while (!signal.aborted) {
      if (await tryLock(connection, projectorLock(database.schema, projection))) return;
      // Another process holds the lock and serves the read model. This process is ready to take over.
      this.readiness.caughtUpOnce = true;
      this.readiness.failure = undefined;
      this.#aside.leave();
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
    const fresh = freshEvents(projection, batch, after, (event) => this.#aside.holdsBack(event));
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
    const poisoned = thrown instanceof PoisonedEvent ? thrown : undefined;
    this.readiness.failure = poisoned
      ? `stopped: more than ${setAsideMax} streams have an event that it cannot apply`
      : 'stopped by a failure';
    if (poisoned) this.#lag.behind(poisoned.event.recordedAt);
    else this.#lag.unknown();
    reportFailure(this.#options, 'projection stopped', thrown);
  }
}
