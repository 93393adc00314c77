import type { Catalog } from '@sluice/catalog';
import { type Clock, steadyMsOf } from '@sluice/clock-and-ids';
import {
  type AccountCalls,
  type AlignmentBeta,
  createAlignmentBeta,
} from '../policy/alignment-beta.ts';
import type { Evaluator } from '../stages/alignment/evaluator.ts';
import { modelEvaluator } from '../stages/alignment/model-evaluator.ts';
import { type AlignmentSettings, usualAlignment } from './alignment-config.ts';

export interface AlignmentDeps {
  /** Absent: no account is in a beta. */
  readonly accounts?: AccountCalls;
  /** Replaces single defaults. */
  readonly alignment?: Partial<AlignmentSettings>;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly lastKnownMsMax?: number;
}

/** Opens the model that judges answers, and the admission of accounts to it. */
export function openAlignment({
  accounts,
  alignment,
  catalog,
  clock,
  lastKnownMsMax,
}: AlignmentDeps): { readonly evaluator: Evaluator; readonly alignment: AlignmentBeta } {
  const settings = { ...usualAlignment, ...alignment };
  return {
    evaluator: modelEvaluator(settings),
    alignment: createAlignmentBeta({
      accounts,
      // The catalog is loaded anew when its file changes.
      isSetUp: () => catalog.find(settings.model) !== undefined,
      nowMs: steadyMsOf(clock),
      lastKnownMsMax,
    }),
  };
}
