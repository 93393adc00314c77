import type { EventStore } from '@sluice/es';
import type { Output } from './output.ts';

/** The Sluice that a command works on. */
export interface Installation {
  readonly postgresUrl: string;
  readonly eventStore: EventStore;
  readonly output: Output;
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal;
}
