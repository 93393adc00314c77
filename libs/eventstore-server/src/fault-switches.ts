/**
 * How a test makes the node fail, as real ones do now and then. All are off at first and may be
 * changed while the node runs; what counts down does so by itself.
 */
export interface FaultSwitches {
  /** Every call begins so much later. */
  delayMs: number;
  /** So many next calls are refused with UNAVAILABLE. */
  unavailableCalls: number;
  /** The next call is told that the leader is there. */
  notLeader: { readonly host: string; readonly port: number } | undefined;
  /** So many next appends are written, and their call breaks instead of answering. */
  lostResponses: number;
  /** Each subscription is ended with UNAVAILABLE after so many events. */
  subscriptionEventsMax: number | undefined;
  /** A subscription behind a position begins so many events before it. */
  repeatedEvents: number;
  /** Every flush to disk takes so much longer. */
  syncDelayMs: number;
  /** Positions are further apart than the events between them are long. */
  positionGaps: boolean;
  /** A system event is written after so many appends; 0: none. */
  appendsPerSystemEvent: number;
}

export function noFaults(): FaultSwitches {
  return {
    delayMs: 0,
    unavailableCalls: 0,
    notLeader: undefined,
    lostResponses: 0,
    subscriptionEventsMax: undefined,
    repeatedEvents: 0,
    syncDelayMs: 0,
    positionGaps: false,
    appendsPerSystemEvent: 0,
  };
}
