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

/** Opens the stages that concern the call. Most calls have none, and nothing to wait for. */
export function openResponseStages({
  pipeline: { stages },
  context,
  request,
  plan: { attempts },
}: ReadCall & Fitted & CheckedPlan): ResponseStages | Promise<ResponseStages> {
  const attemptStages = openStages(stages.attempt, request, { ...context, attempts });
  const turnStages = openStages(stages.turn, request, context);
  const outputs = openStages(stages.output, request, context);
  const areOpen = 'length' in attemptStages && 'length' in turnStages && 'length' in outputs;
  if (areOpen) return { attemptStages, turnStages, outputs };
  return opened([
    Promise.resolve(attemptStages),
    Promise.resolve(turnStages),
    Promise.resolve(outputs),
  ]);
}

async function opened(
  opening: readonly [
    Promise<readonly AttemptStage[]>,
    Promise<readonly TurnStage[]>,
    Promise<readonly OutputStage[]>,
  ],
): Promise<ResponseStages> {
  const [attemptStages, turnStages, outputs] = await Promise.all(opening);
  return { attemptStages, turnStages, outputs };
}
