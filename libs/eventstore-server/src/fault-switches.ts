/**
 * Makes the node fail in the ways of real nodes. All switches are off at first and may be changed while the node runs.
 * A switch that counts down does so by itself.
 */
export interface FaultSwitches {
  /** Every call begins so much later. */
  delayMs: number;
  /** So many next calls are refused with UNAVAILABLE. */
  unavailableCalls: number;
  /** The next call, or the next append of an open batch call, ends with the address of the leader. */
  notLeader: { readonly host: string; readonly port: number } | undefined;
  /** Number of next appends that are written, and whose call breaks instead of answering. */
  lostResponses: number;
  /** Number of next appends that are written, and answered with a timeout after `timedOutAppendMs`. */
  timedOutAppends: number;
  /** A real node gives up after 2 s; 0 answers as soon as it is written. */
  timedOutAppendMs: number;
  /** Number of next appends that are written and never answered. Their call stays open. */
  unansweredAppends: number;
  /** Unix time until which an election refuses writes and new reads. Subscriptions go on. */
  electionUntilMs: number;
  /** The way in which the node refuses during the election. */
  electionRefusal: ElectionRefusal;
  /** Unix time until which the node takes connections and calls, and answers none. */
  frozenUntilMs: number;
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

/** EventStoreDB 24.10 has given each of them in an election. */
export type ElectionRefusal = 'not_ready' | 'busy' | 'no_leader';

export function noFaults(): FaultSwitches {
  return {
    delayMs: 0,
    unavailableCalls: 0,
    notLeader: undefined,
    lostResponses: 0,
    timedOutAppends: 0,
    timedOutAppendMs: 2_000,
    unansweredAppends: 0,
    electionUntilMs: 0,
    electionRefusal: 'not_ready',
    frozenUntilMs: 0,
    subscriptionEventsMax: undefined,
    repeatedEvents: 0,
    syncDelayMs: 0,
    positionGaps: false,
    appendsPerSystemEvent: 0,
  };
}
