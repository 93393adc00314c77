import type { OutputLimit } from '../admission/output-limit.ts';

/** The result of one attempt. */
export interface TriedAttempt {
  /** The number of its turn, from 1. */
  readonly turn: number;
  readonly provider: string;
  readonly model: string;
  /** The code of its error; empty: it gave output. */
  readonly errorCode: string;
  /** The status that the provider answered with; absent: none that says how it went. */
  readonly status?: number | undefined;
  readonly isByok: boolean;
  /** The output limit that it was sent. */
  readonly limit?: OutputLimit;
}
