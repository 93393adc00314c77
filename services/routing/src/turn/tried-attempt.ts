import type { OutputLimit } from '../admission/output-limit.ts';
import type { StageReport } from '../stages/stage.ts';

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
  /** The reports of the stages that changed its request. */
  readonly reports?: readonly StageReport[] | undefined;
}
