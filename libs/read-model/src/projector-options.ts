import type { EventStore, Position } from '@sluice/es';
import type { Telemetry } from '@sluice/telemetry';
import type { Database } from './database.ts';
import type { Projection } from './projection.ts';
import type { ProjectorStatus } from './projector-status.ts';
import type { WatchedEventStore } from './same-log/watched-event-store.ts';

export interface ProjectorOptions {
  readonly eventStore: ProjectedEventStore;
  readonly database: Database;
  readonly projection: Projection;
  readonly logger: ProjectorLogger;
  /** Receives lag, position and the events that cannot be applied. */
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

/** The watch of `watchedEventStore`. With it, no event of another log is applied. */
export type ProjectedEventStore = Pick<EventStore, 'subscribe' | 'read'> &
  Partial<
    Pick<
      WatchedEventStore,
      'verified' | 'divergences' | 'noteApplied' | 'degradation' | 'loadSkipped'
    >
  >;

export interface ProjectorLogger {
  info(message: string, fields: { projection: string }): void;
  warn(
    message: string,
    fields: {
      projection: string;
      error?: unknown;
      eventId?: string;
      stream?: string;
      type?: string;
    },
  ): void;
  error(
    message: string,
    fields: { projection: string; error: unknown; eventId?: string; stream?: string },
  ): void;
}

export interface Projector {
  status(): ProjectorStatus;
  /** True as soon as the read model holds what lies at `position`; false after the time-out. */
  waitFor(position: Position | undefined, timeoutMs: number): Promise<boolean>;
  /**
   * False until the read model has held all events once, as far as this process knows: it then answers for rows that it
   * lacks. True from the start where an earlier process has left a checkpoint.
   */
  isComplete(): boolean;
  /** Not yet caught up for the first time; empty otherwise. */
  unreadiness(): readonly string[];
  /** Stopped at an event, or held up by the event store with the rows of an earlier time. */
  degradation(): readonly string[];
  stop(): Promise<void>;
}
