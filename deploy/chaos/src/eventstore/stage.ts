import type { Instance } from '@sluice/acceptance/instance';
import type { Random } from '../random.ts';
import type { Store } from './store.ts';

/** Holds the parts that every round uses. */
export interface Stage {
  readonly instance: Instance;
  readonly store: Store;
  readonly random: Random;
  /** Tells the names of this round apart from those of others. */
  readonly namePrefix: string;
  /** How long an outage takes. */
  readonly awayMs: number;
  /** How long Sluice may take to say something. */
  readonly lookOutMs: number;
  /** A folder for copies of the data. */
  readonly folder: string;
}
