import type { Instance } from '@sluice/acceptance/instance';
import type { Random } from '@sluice/testing/random';
import type { Store } from './store.ts';

/** Holds the parts that every round uses. */
export interface Stage {
  readonly instance: Instance;
  readonly store: Store;
  readonly random: Random;
  /** Distinguishes the names of this round from those of others. */
  readonly namePrefix: string;
  /** Milliseconds of an outage. */
  readonly awayMs: number;
  /** Milliseconds within which Sluice must report a fault. */
  readonly lookOutMs: number;
  /** A folder for copies of the data. */
  readonly folder: string;
}
