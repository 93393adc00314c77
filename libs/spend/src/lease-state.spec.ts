import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  availableNanoUsd,
  isClear,
  isUnsettled,
  type LeaseEvent,
  type LeaseState,
  noLease,
  stepLease,
} from './lease-state.ts';

const amount = fc.bigInt({ min: 0n, max: 1_000n });
const happening = fc.oneof(
  fc.record({ kind: fc.constant('hold' as const), amount }),
  fc.record({ kind: fc.constant('settle' as const), amount }),
  fc.record({ kind: fc.constant('give back' as const), amount }),
  fc.record({ kind: fc.constant('grant' as const), amount }),
  fc.record({ kind: fc.constant('lower the limit' as const), amount }),
  fc.record({ kind: fc.constant('fail' as const), amount }),
);

/** An authority with one budget and one lease, which grants whatever the test says. */
function answered(
  state: LeaseState,
  grantedNanoUsd: bigint,
  limitNanoUsd: bigint | undefined,
): LeaseEvent {
  const { returnedNanoUsd } = state;
  return {
    type: 'answered',
    answer: {
      number: 1n,
      grantedNanoUsd,
      countedNanoUsd: 0n,
      limitNanoUsd,
      settledNanoUsd: 0n,
      leasedNanoUsd: grantedNanoUsd - returnedNanoUsd,
    },
    replicas: 1n,
    returnedNanoUsd,
    atMs: 0,
  };
}

/** Plays what happens; costs are at most what is held, and holds at most what is available. */
function play(
  happenings: readonly { readonly kind: string; readonly amount: bigint }[],
): readonly LeaseState[] {
  const open: bigint[] = [];
  const states: LeaseState[] = [noLease];
  const apply = (event: LeaseEvent) => states.push(stepLease(states.at(-1) ?? noLease, event));
  for (const { kind, amount: most } of happenings) {
    const state = states.at(-1) ?? noLease;
    const available = availableNanoUsd(state);
    if (kind === 'hold') {
      const amountNanoUsd = most < available ? most : available;
      open.push(amountNanoUsd);
      apply({ type: 'held', amountNanoUsd });
    } else if (kind === 'settle') {
      const amountNanoUsd = open.pop();
      if (amountNanoUsd === undefined) continue;
      const costNanoUsd = most < amountNanoUsd ? most : amountNanoUsd;
      apply({ type: 'settled', amountNanoUsd, costNanoUsd });
    } else if (kind === 'give back') apply({ type: 'given-back', amountNanoUsd: most });
    else if (kind === 'grant') apply(answered(state, state.grantedNanoUsd + most, undefined));
    else if (kind === 'lower the limit') apply(answered(state, state.grantedNanoUsd, most));
    else apply({ type: 'call-failed' });
  }
  return states;
}

describe('the books of a lease', () => {
  test('never spend, hold and return more than was granted, and totals only grow', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        let before = noLease;
        for (const state of play(happenings)) {
          ok(availableNanoUsd(state) >= 0n);
          ok(state.debtNanoUsd >= 0n && state.heldNanoUsd >= 0n && state.openHolds >= 0);
          ok(state.grantedNanoUsd >= before.grantedNanoUsd);
          ok(state.returnedNanoUsd >= before.returnedNanoUsd);
          ok(state.spentNanoUsd >= before.spentNanoUsd);
          before = state;
        }
      }),
    );
  });

  test('owe nothing while anything is available', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        for (const state of play(happenings))
          ok(state.debtNanoUsd === 0n || availableNanoUsd(state) === 0n);
      }),
    );
  });

  test('never change a state that was given', () => {
    const granted = Object.freeze(stepLease(noLease, answered(noLease, 10n, undefined)));
    const held = stepLease(granted, { type: 'held', amountNanoUsd: 4n });
    equal(availableNanoUsd(granted), 10n);
    equal(availableNanoUsd(held), 6n);
  });

  test('give back what a lowered limit allows no more, first what is available, then what comes free', () => {
    const granted = stepLease(noLease, answered(noLease, 10n, 10n));
    const held = stepLease(granted, { type: 'held', amountNanoUsd: 7n });
    const lowered = stepLease(held, answered(held, 10n, 4n));
    deepEqual([lowered.returnedNanoUsd, lowered.debtNanoUsd], [3n, 3n]);
    const settled = stepLease(lowered, { type: 'settled', amountNanoUsd: 7n, costNanoUsd: 2n });
    deepEqual([settled.returnedNanoUsd, settled.debtNanoUsd], [6n, 0n]);
  });

  test('take an answer that comes late for no news of what was granted', () => {
    const first = stepLease(noLease, answered(noLease, 10n, undefined));
    equal(stepLease(first, answered(noLease, 6n, undefined)).grantedNanoUsd, 10n);
  });

  test('are unsettled after a failed call and after a return that the authority does not know', () => {
    const granted = stepLease(noLease, answered(noLease, 10n, undefined));
    equal(isUnsettled(granted), false);
    equal(isUnsettled(stepLease(granted, { type: 'call-failed' })), true);
    const returned = stepLease(granted, { type: 'given-back', amountNanoUsd: 10n });
    deepEqual([isUnsettled(returned), isClear(returned)], [true, true]);
    equal(isUnsettled(stepLease(returned, answered(returned, 10n, undefined))), false);
  });
});
