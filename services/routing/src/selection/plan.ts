import type { Rejection } from '@sluice/errors';
import type { InferenceRequest } from '@sluice/inference';
import type { ModelAlias, UsedPreset } from '../request/named-models.ts';
import type { Served } from '../request/leave-out-tools.ts';
import type { StageReport } from '../stages/stage.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Candidate } from './candidate.ts';

/** One attempt to come: an endpoint, and with whose credential it is called. */
export interface PlannedAttempt extends Candidate {
  /** An own one of the account; absent: the platform's. */
  readonly credential?: Credential;
}

/** Names the way in which the model that serves was chosen. */
export type Strategy =
  | 'direct'
  | 'alias'
  | 'latest'
  | 'fallback'
  | 'auto'
  | 'bodybuilder'
  | 'free'
  | 'fusion'
  | 'jev'
  | 'pareto'
  | 'switchyard';

/** The attempts of a request, in order. */
export interface Plan {
  /** The slug or alias as the client wrote it. */
  readonly requested: string;
  /** All that were asked for, as the client wrote them. */
  readonly requestedModels: readonly string[];
  readonly strategy: Strategy;
  /** The models that the first name stands for: any other one that serves is a fallback. */
  readonly askedFirst: readonly string[];
  /** At least one. */
  readonly attempts: readonly [PlannedAttempt, ...PlannedAttempt[]];
  readonly explanation: Explanation;
  /** The request with the effort of its router, without the hosted tools that no endpoint runs. Absent: as it was. */
  readonly served?: Served<InferenceRequest>;
  /** Reports of the stages and of the router, as `service_metadata.pipeline` shows them. */
  readonly stages?: readonly object[];
  /** The inputs of the router's choice, and the preset and the alias that the request names. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly preset?: UsedPreset | undefined;
  readonly alias?: ModelAlias | undefined;
  /** Some of the attempts serve only when no budget holds the others. */
  readonly isBudgeted?: true;
  /** The code of the refusal after which the attempts for a used-up budget go on. */
  readonly budgetRefusal?: string;
}

/** Returns a plan with the attempts that go on when the budgets do not hold the others, or without these. */
export function budgetedPlan(
  { isBudgeted: _isBudgeted, ...plan }: Plan,
  isForBudget: boolean,
): Plan | undefined {
  const [first, ...others] = plan.attempts.filter(
    (attempt) => (attempt.isForBudget ?? false) === isForBudget,
  );
  return first && { ...plan, attempts: [first, ...others] };
}

/**
 * Returns a plan that tries one of its attempts first: the one that served before. A budget that was used up stays so.
 */
export function planFrom(all: Plan, served: PlannedAttempt): Plan {
  const plan = (served.isForBudget && budgetedPlan(all, true)) || all;
  const { attempts, explanation } = plan;
  const place = { endpointId: served.endpoint.id, reason: 'served before' };
  const others = explanation.order.filter(({ endpointId }) => endpointId !== place.endpointId);
  return {
    ...plan,
    attempts: [served, ...attempts.filter((attempt) => attempt !== served)],
    explanation: { ...explanation, order: [place, ...others] },
  };
}

/** The known part of a plan when no endpoint is left to try. */
export interface Routed extends Pick<
  Plan,
  'requested' | 'strategy' | 'askedFirst' | 'stages' | 'params'
> {
  readonly attempts: readonly PlannedAttempt[];
  /** Before anything was filtered. */
  readonly candidates: readonly Candidate[];
  /** A guardrail ended the request. */
  readonly isBlocked?: boolean;
}

/** The refusal of a request whose models are known. */
export interface Refused extends Rejection {
  readonly routed: Routed;
}

/** Returns a plan or a refusal in the form that a client gets. */
export function routedOf(outcome: Plan | Refused): Routed {
  if ('routed' in outcome) return outcome.routed;
  return { ...outcome, candidates: outcome.explanation.candidates };
}

/** The reasons for the choice and the order of the attempts. */
export interface Explanation {
  /** Before anything was filtered. */
  readonly candidates: readonly Candidate[];
  readonly excluded: readonly Exclusion[];
  /** The place of each attempt. */
  readonly order: readonly Placement[];
  /** The router that the first name stands for, and its choice. Absent: it stands for none. */
  readonly router?: RouterChoice | undefined;
}

export interface RouterChoice {
  readonly slug: string;
  /** Absent: the router explains nothing. */
  readonly report?: Pick<StageReport, 'summary' | 'data'> | undefined;
}

export interface Exclusion {
  readonly endpointId: string;
  readonly filter: string;
  readonly detail: string;
}

export interface Placement {
  readonly endpointId: string;
  readonly reason: string;
  /** The seed that drew it. Absent: it was not drawn by chance. */
  readonly seed?: string;
}
