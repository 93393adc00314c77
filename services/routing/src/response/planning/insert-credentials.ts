import { isRejection } from '@sluice/errors';
import { modelFamilies } from '@sluice/policy';
import { demandsOf } from '../../policy/demands-of.ts';
import { type Plan, type Refused, routedOf } from '../../selection/plan.ts';
import { planWithCredentials } from '../../selection/plan-with-credentials.ts';
import type { Chosen } from './choose-endpoints.ts';
import type { ReadCall } from './read-call.ts';
import type { Inspected } from './inspect-input.ts';

/** A plan with the attempts that own credentials of the account pay for. */
export interface WithCredentials {
  readonly withCredentials: Plan;
}

/** Inserts the account's own credentials. With zero retention, those of retaining providers are left out. */
export function insertCredentials({
  call: { principal },
  policy,
  credentials,
  inspected: { preferences },
  chosen,
}: ReadCall & Inspected & Chosen): WithCredentials | Refused {
  const { mixesModels, allowsFallbacks, order, demandsZeroRetention } = preferences;
  const { zeroRetention } = demandsOf(policy);
  const planned = planWithCredentials(chosen, {
    credentials,
    principal,
    mixesModels,
    demandsZeroRetention:
      demandsZeroRetention || modelFamilies.some((family) => zeroRetention[family]),
    isFirstOnly: !allowsFallbacks && order === undefined,
  });
  if (!isRejection(planned)) return { withCredentials: planned };
  return { ...planned, routed: { ...routedOf(chosen), attempts: [] } };
}
