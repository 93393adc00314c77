import type { LeaseAnswer } from './authority.ts';
import { maximum, minimum, roomNanoUsd } from './grant.ts';

/** The last answer of the authority about a lease. */
export interface KnownAnswer extends LeaseAnswer {
  readonly replicas: bigint;
  /** When the answer came, by the clock of the replica. */
  readonly answeredAtMs: number;
  /** The same, or -Infinity if the limit may have changed since. */
  readonly newsAtMs: number;
  /** All that this lease had given back when the authority answered. */
  readonly returnedNanoUsd: bigint;
  /** The part of the budget that was out on other leases. */
  readonly elsewhereNanoUsd: bigint;
}

/**
 * The books of one lease. `granted`, `returned` and `spent` only grow. The replica owes the authority
 * granted - returned. What is available for new holds is that less held and spent. Spent is never given back: the
 * ledger takes it off the lease when it counts the usage.
 */
export interface LeaseState {
  readonly grantedNanoUsd: bigint;
  readonly returnedNanoUsd: bigint;
  /** The part of `returned` that the authority knows. */
  readonly toldReturnedNanoUsd: bigint;
  readonly heldNanoUsd: bigint;
  readonly spentNanoUsd: bigint;
  /** The part of what is available that waiting requests have yet to take. */
  readonly promisedNanoUsd: bigint;
  /** More is out than a lowered limit allows: the next amounts that come free are given back. */
  readonly debtNanoUsd: bigint;
  /** The number of holds that are open. */
  readonly openHolds: number;
  /** True if a call failed: the authority may have granted an amount that is not known here. */
  readonly isUnsure: boolean;
  /** If undefined, the authority has not answered yet. */
  readonly known: KnownAnswer | undefined;
}

export type LeaseEvent =
  | { readonly type: 'held'; readonly amountNanoUsd: bigint }
  | { readonly type: 'settled'; readonly amountNanoUsd: bigint; readonly costNanoUsd: bigint }
  | { readonly type: 'promised'; readonly amountNanoUsd: bigint }
  | { readonly type: 'redeemed'; readonly amountNanoUsd: bigint }
  | { readonly type: 'given-back'; readonly amountNanoUsd: bigint }
  | {
      readonly type: 'answered';
      readonly answer: LeaseAnswer;
      readonly replicas: bigint;
      /** All that had been given back when the question was sent. */
      readonly returnedNanoUsd: bigint;
      readonly atMs: number;
    }
  | { readonly type: 'limit-doubted' }
  | { readonly type: 'call-failed' };

export const noLease: LeaseState = {
  grantedNanoUsd: 0n,
  returnedNanoUsd: 0n,
  toldReturnedNanoUsd: 0n,
  heldNanoUsd: 0n,
  spentNanoUsd: 0n,
  promisedNanoUsd: 0n,
  debtNanoUsd: 0n,
  openHolds: 0,
  isUnsure: false,
  known: undefined,
};

/** Returns the state after an event. Pure. */
export function stepLease(state: LeaseState, event: LeaseEvent): LeaseState {
  switch (event.type) {
    case 'held':
      return {
        ...state,
        heldNanoUsd: state.heldNanoUsd + event.amountNanoUsd,
        openHolds: state.openHolds + 1,
      };
    case 'settled':
      return payDebt({
        ...state,
        heldNanoUsd: state.heldNanoUsd - event.amountNanoUsd,
        spentNanoUsd: state.spentNanoUsd + event.costNanoUsd,
        openHolds: state.openHolds - 1,
      });
    case 'promised':
      return { ...state, promisedNanoUsd: state.promisedNanoUsd + event.amountNanoUsd };
    case 'redeemed':
      return { ...state, promisedNanoUsd: state.promisedNanoUsd - event.amountNanoUsd };
    case 'given-back':
      return giveBack(state, event.amountNanoUsd);
    case 'answered':
      return takeAnswer(state, event);
    case 'limit-doubted':
      return state.known ? { ...state, known: { ...state.known, newsAtMs: -Infinity } } : state;
    case 'call-failed':
      return { ...state, isUnsure: true };
  }
}

/** Returns what a new hold could take. Negative if usage cost more than was held for it. */
export function availableNanoUsd(state: LeaseState): bigint {
  return state.grantedNanoUsd - state.returnedNanoUsd - state.heldNanoUsd - state.spentNanoUsd;
}

/** Returns what the authority has left, with what was given back since it answered. undefined: no cap, or no answer. */
export function roomAtAuthorityNanoUsd({ known, returnedNanoUsd }: LeaseState): bigint | undefined {
  const room = known && roomNanoUsd(known);
  if (!known || room === undefined) return undefined;
  return room + maximum(0n, returnedNanoUsd - known.returnedNanoUsd);
}

/** True if nothing is out any more: all of it was given back or is counted. */
export function isClear(state: LeaseState): boolean {
  const counted = state.known?.countedNanoUsd ?? 0n;
  return state.openHolds === 0 && state.grantedNanoUsd - state.returnedNanoUsd - counted <= 0n;
}

/** True if the authority may not know all that was given back, or the replica all that was granted. */
export function isUnsettled(state: LeaseState): boolean {
  return state.isUnsure || state.returnedNanoUsd > state.toldReturnedNanoUsd;
}

/** Gives back at most what is available. */
function giveBack(state: LeaseState, amountNanoUsd: bigint): LeaseState {
  const amount = minimum(amountNanoUsd, maximum(0n, availableNanoUsd(state)));
  if (amount <= 0n) return state;
  return { ...state, returnedNanoUsd: state.returnedNanoUsd + amount };
}

function payDebt(state: LeaseState): LeaseState {
  if (state.debtNanoUsd === 0n) return state;
  const paid = giveBack(state, state.debtNanoUsd);
  const amount = paid.returnedNanoUsd - state.returnedNanoUsd;
  return { ...paid, debtNanoUsd: state.debtNanoUsd - amount };
}

/** Takes an answer. If the limit was lowered, as much as is available goes back at once. */
function takeAnswer(
  state: LeaseState,
  event: Extract<LeaseEvent, { type: 'answered' }>,
): LeaseState {
  const { answer, replicas, returnedNanoUsd, atMs } = event;
  const own = maximum(0n, answer.grantedNanoUsd - returnedNanoUsd - answer.countedNanoUsd);
  const room = roomNanoUsd(answer);
  const onItsWay = state.returnedNanoUsd - returnedNanoUsd;
  return payDebt({
    ...state,
    // Answers may come out of order.
    grantedNanoUsd: maximum(state.grantedNanoUsd, answer.grantedNanoUsd),
    toldReturnedNanoUsd: maximum(state.toldReturnedNanoUsd, returnedNanoUsd),
    isUnsure: false,
    known: {
      ...answer,
      replicas,
      answeredAtMs: atMs,
      newsAtMs: atMs,
      returnedNanoUsd,
      elsewhereNanoUsd: maximum(0n, answer.leasedNanoUsd - own),
    },
    debtNanoUsd: room === undefined ? 0n : maximum(0n, -room - onItsWay),
  });
}
