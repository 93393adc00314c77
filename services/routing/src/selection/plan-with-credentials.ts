import type { Rejection } from '@sluice/errors';
import type { Exclusion, Placement, Plan, PlannedAttempt } from './plan.ts';
import { availability } from './availability.ts';
import { type CredentialDemands, withCredentials } from './with-credentials.ts';

export interface PlanDemands extends CredentialDemands {
  /** True if no attempt follows one that fails. */
  readonly isFirstOnly?: boolean;
}

/** Returns the plan with own credentials inserted; or why no endpoint is left. */
export function planWithCredentials(plan: Plan, demands: PlanDemands): Plan | Rejection {
  const all = withCredentials(plan.attempts, demands);
  if (all === plan.attempts) return plan;
  const planned = demands.isFirstOnly ? all.slice(0, 1) : all;
  const [first, ...others] = planned;
  if (!first)
    return {
      rejected: 'not_found',
      message: `${plan.requested} is served with provider credentials of your own only`,
      metadata: {
        availability: availability('no_endpoints', plan.requestedModels, { excluded_by: ['byok'] }),
      },
    };
  const attempts = [first, ...others] as const;
  const order = attempts.map((attempt) => placementOf(attempt, plan));
  const excluded = [...plan.explanation.excluded, ...leftOut(plan, attempts)];
  return { ...plan, attempts, explanation: { ...plan.explanation, excluded, order } };
}

/** Endpoints that are not tried at all: where only own credentials would do, and there is none for it. */
function leftOut(plan: Plan, attempts: readonly PlannedAttempt[]): readonly Exclusion[] {
  const tried = new Set(attempts.map(({ endpoint }) => endpoint.id));
  return plan.attempts
    .filter(({ endpoint }) => !tried.has(endpoint.id))
    .map(({ endpoint }) => ({
      endpointId: endpoint.id,
      filter: 'byok',
      detail: endpoint.isByokOnly
        ? 'the platform has no credential for it'
        : 'a credential of the account takes its place',
    }));
}

function placementOf({ endpoint, credential }: PlannedAttempt, { explanation }: Plan): Placement {
  const shared = explanation.order.find(({ endpointId }) => endpointId === endpoint.id);
  if (!credential) return shared ?? { endpointId: endpoint.id, reason: 'shared' };
  if (endpoint.endpoint.isPrivate) return { endpointId: endpoint.id, reason: 'private endpoint' };
  const reason = credential.isFallback ? 'fallback credential' : 'own credential';
  return { endpointId: endpoint.id, reason };
}
