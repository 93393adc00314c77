import type { InferenceCall } from '@sluice/inference-port';
import { type ContentDemands, mayBeKept } from './observation.ts';

/** One per cent. */
const basisPoints = 100;

/**
 * Returns the rate of the discount for contents that the operator may use, in hundredths of a per cent. Undefined:
 * the workspace gives none, or the request withholds its contents.
 */
export function dataDiscountOf(
  call: Pick<InferenceCall, 'client'>,
  planned: ContentDemands,
): number | undefined {
  return planned.policy.givesData && mayBeKept(call, planned) ? basisPoints : undefined;
}
