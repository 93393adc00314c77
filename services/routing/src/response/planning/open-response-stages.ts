import { openStages } from '../../stages/open-stages.ts';
import type { AttemptStage, OutputStage, TurnStage } from '../../stages/stage.ts';
import type { CheckedPlan } from './check-candidates.ts';
import type { Fitted } from './fit-request.ts';
import type { ReadCall } from './read-call.ts';

/** The stages that work on the response to one request, each kind in its order. */
export interface ResponseStages {
  /** Change the request for each endpoint. */
  readonly attemptStages: readonly AttemptStage[];
  /** Work between the model calls. */
  readonly turnStages: readonly TurnStage[];
  /** Look at the answer. */
  readonly outputs: readonly OutputStage[];
}

/** Opens the stages that concern the call. */
export async function openResponseStages({
  pipeline: { stages },
  context,
  request,
  plan,
}: ReadCall & Fitted & CheckedPlan): Promise<ResponseStages> {
  return {
    attemptStages: await openStages(stages.attempt, request, {
      ...context,
      attempts: plan.attempts,
    }),
    turnStages: await openStages(stages.turn, request, context),
    outputs: await openStages(stages.output, request, context),
  };
}
