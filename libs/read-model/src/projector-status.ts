import type { Position } from '@sluice/es';

export interface ProjectorStatus {
  /** Whether this process is the one that writes the read model. */
  readonly active: boolean;
  /** Whether it goes on no more, after too many events that cannot be applied or another failure. */
  readonly stopped: boolean;
  /** Number of streams that it sets aside. */
  readonly streamsSetAside: number;
  /** The age of the oldest event that the read model does not show; 0 where another process writes. */
  readonly lagSeconds: number;
  /** The last position known to be in the read model. */
  readonly position: Position | undefined;
  /** How often a rebuild has replaced the rows. */
  readonly rebuilds: number;
}
