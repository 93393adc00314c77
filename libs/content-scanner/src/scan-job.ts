import type { FilterSet } from '@sluice/content-filter';
import type { ScannedTexts } from './scan-group.ts';

/**
 * The reason why texts have no verdict: scanning them took longer than the deadline, or a filter failed. Other accounts
 * are no reason.
 */
export type ScanFailure = 'late' | 'broken';

/** The input of a thread. */
export interface ScanInput {
  /** Names the set: equal sets have equal revisions. */
  readonly revision: string;
  readonly set: FilterSet;
  readonly groups: readonly (ScannedTexts & {
    readonly scansInjection: boolean;
  })[];
  /** Time to look for entities. */
  readonly entitiesMs: number;
}

export interface ScanJob extends ScanInput {
  /** The account that owns the texts. Accounts take turns. */
  readonly account: string;
  readonly signal?: AbortSignal | undefined;
}

export interface StreamJob {
  /** Names the set: equal sets have equal revisions. */
  readonly revision: string;
  readonly set: FilterSet;
  /** The account that owns the text. Accounts take turns. */
  readonly account: string;
  readonly signal?: AbortSignal | undefined;
}
