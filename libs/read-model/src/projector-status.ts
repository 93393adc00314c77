import type { Position } from '@sluice/es';

export interface ProjectorStatus {
  /** True if this process writes the read model. */
  readonly active: boolean;
  /** True after the projection gave up: too many events could not be applied, or another failure. */
  readonly stopped: boolean;
  /** Number of streams that it sets aside. */
  readonly streamsSetAside: number;
  /** The age of the oldest event that the read model does not show; 0 where another process writes. */
  readonly lagSeconds: number;
  /** The last position known to be in the read model. */
  readonly position: Position | undefined;
  /** The number of rebuilds that have replaced the rows. */
  readonly rebuilds: number;
}
