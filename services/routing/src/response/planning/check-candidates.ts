import { isRejection } from '@sluice/errors';
import { type Exclusion, type Plan, type Refused, routedOf } from '../../selection/plan.ts';
import { runCandidateStages } from '../../stages/run-candidate-stages.ts';
import type { Fitted } from './fit-request.ts';
import type { ReadCall } from './read-call.ts';

/** A plan that may be tried. */
export interface CheckedPlan {
  readonly plan: Plan;
  /** Milliseconds that the moderation of the input took; undefined: it was not moderated. */
  readonly moderationLatencyMs: number | undefined;
}

/** Runs the stages that need the chosen endpoints, and removes the attempts at models that they exclude. */
export function checkCandidates(
  read: ReadCall & Fitted,
): CheckedPlan | Promise<CheckedPlan | Refused> {
  const { pipeline, request, fitted } = read;
  const { attempts } = fitted;
  if (pipeline.stages.candidate.some((stage) => stage.concerns?.(request, attempts) ?? true))
    return runStages(read);
  return { plan: fitted, moderationLatencyMs: undefined };
}

async function runStages({
  pipeline: { stages },
  context,
  request,
  fitted: plan,
}: ReadCall & Fitted): Promise<CheckedPlan | Refused> {
  const staged = await runCandidateStages(stages.candidate, request, {
    ...context,
    candidates: plan.attempts,
  });
  const reports = [...(plan.stages ?? []), ...(staged.reports ?? [])];
  if (isRejection(staged)) {
    const { reports: _reports, detections: _detections, ...rejection } = staged;
    return { ...rejection, routed: { ...routedOf(plan), stages: reports, isBlocked: true } };
  }
  const { excludedModels, moderationLatencyMs } = staged;
  const left = excludedModels.size === 0 ? plan : planWithout(plan, excludedModels);
  return { plan: { ...left, stages: reports }, moderationLatencyMs };
}

function planWithout(plan: Plan, excludedModels: ReadonlyMap<string, string>): Plan {
  const [first, ...others] = plan.attempts.filter(({ model }) => !excludedModels.has(model.id));
  if (!first) throw new Error('invariant: a stage that excludes all models refuses the request');
  const excluded = new Map<string, Exclusion>();
  for (const { endpoint, model } of plan.attempts) {
    const filter = excludedModels.get(model.id);
    if (filter === undefined) continue;
    excluded.set(endpoint.id, { endpointId: endpoint.id, filter, detail: model.id });
  }
  const { explanation } = plan;
  return {
    ...plan,
    attempts: [first, ...others],
    explanation: {
      ...explanation,
      excluded: [...explanation.excluded, ...excluded.values()],
      order: explanation.order.filter(({ endpointId }) => !excluded.has(endpointId)),
    },
  };
}
