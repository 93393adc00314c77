import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection, type Rejection } from '@sluice/errors';
import type { Decider } from '../decider.ts';
import type { Event } from '../event.ts';

/**
 * The grammar of a decider's specification: given(history).when(command).then(events),
 * .thenNothing() or .thenRejected(code). Asserts the facts, not the state.
 */
export function specification<Command, State, E extends Event, R extends Rejection>(
  decider: Decider<Command, State, E, R>,
) {
  return {
    given: (...history: readonly E[]) => ({
      when: (command: Command) => {
        const state = history.reduce(decider.evolve, decider.initial);
        const outcome = decider.decide(command, state);
        return {
          then: (...expected: readonly E[]) => deepEqual(outcome, expected),
          thenNothing: () => deepEqual(outcome, []),
          thenRejected: (code: R['rejected']) => {
            ok(isRejection(outcome), `expected a rejection, got ${JSON.stringify(outcome)}`);
            equal(outcome.rejected, code);
          },
        };
      },
    }),
  };
}
