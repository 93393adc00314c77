import type { FilterSet } from '@sluice/content-filter';
import type { ScannedTexts } from './scan-group.ts';

/**
 * The reason why texts have no verdict: scanning them took longer than the deadline, or a filter failed. Other accounts
 * are no reason.
 */
export type ScanFailure = 'late' | 'broken';

/** The input of a thread. */
export interface ScanInput {
  /** The same for equal sets. */
  readonly revision: string;
  readonly set: FilterSet;
  readonly groups: readonly (ScannedTexts & {
    readonly scansInjection: boolean;
  })[];
  /** Time to look for entities. */
  readonly entitiesMs: number;
}

export interface ScanJob extends ScanInput {
  /** Whose texts they are: accounts take turns. */
  readonly account: string;
  readonly signal?: AbortSignal | undefined;
}

export interface StreamJob {
  /** The same for equal sets. */
  readonly revision: string;
  readonly set: FilterSet;
  /** Whose text it is: accounts take turns. */
  readonly account: string;
  readonly signal?: AbortSignal | undefined;
}
