import type { FaultSwitches } from '../fault-switches.ts';
import type { EventLogStore } from '../store/event-log-store.ts';

/** The parts that all calls of a node share. */
export interface NodeContext {
  readonly store: EventLogStore;
  readonly faults: FaultSwitches;
  /** True when the node has a user; an insecure node requires no credentials. */
  readonly secured: boolean;
  /** Aborts when the node stops: calls that would go on end with UNAVAILABLE. */
  readonly stopping: AbortSignal;
  /** The greatest size of one append, counted as a real node does. */
  readonly appendBytesMax: number;
  /** A write that is not durable by then is answered with a timeout, and may yet happen. */
  readonly writeTimeoutMs: number;
}
