import type { AppendOutcome } from '../store/append-outcome.ts';

const value = {};

/** Returns the answer of both kinds of append. Their messages have the same fields. */
export function appendSuccess({ revision, position }: AppendOutcome & { kind: 'written' }) {
  const at = position === undefined ? undefined : BigInt(position);
  return {
    currentRevisionOption:
      revision === undefined
        ? ({ $case: 'noStream', value } as const)
        : ({ $case: 'currentRevision', value: BigInt(revision) } as const),
    positionOption:
      at === undefined
        ? ({ $case: 'noPosition', value } as const)
        : ({ $case: 'position', value: { commitPosition: at, preparePosition: at } } as const),
  };
}
