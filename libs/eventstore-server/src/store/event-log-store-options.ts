import type { FaultSwitches } from '../fault-switches.ts';
import type { DiskGates } from '../log/append-log.ts';

export interface EventLogStoreOptions {
  readonly directory: string;
  readonly segmentBytesMax: number;
  readonly cacheBytesMax: number;
  readonly recentIdsMax: number;
  readonly nowMs: () => number;
  /** The state of the disk is unknown; the process must end. */
  readonly onFatal: (error: Error) => void;
  /** Go on where acknowledged appends are missing at the end of the log. */
  readonly acceptLoss: boolean;
  /** Takes a sentence for the operator. */
  readonly report: (sentence: string) => void;
  /** An append of events that are on their way to the disk is never settled, as on a real node. */
  readonly silentDuplicates: boolean;
  readonly gates: DiskGates;
  readonly faults: FaultSwitches;
}
