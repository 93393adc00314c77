import assert from 'node:assert/strict';
import { inputMeasure } from '../admission/input-bound.ts';
import { isCovered } from '../admission/worst-case.ts';
import type { PlannedAttempt } from '../selection/plan.ts';
import { runAttemptStages } from '../stages/run-attempt-stages.ts';
import { estimateInputTokens } from './tokens.ts';
import { withNativeTools } from './native-tools.ts';
import type { HeldTurn } from './turn.ts';

type Attempted = Pick<
  HeldTurn,
  | 'attemptStages'
  | 'natives'
  | 'request'
  | 'held'
  | 'inputTokens'
  | 'inputImages'
  | 'inputMedia'
  | 'attemptReports'
>;

/**
 * Returns the turn with the request that its stages leave for one endpoint, and with the tools that the endpoint has
 * itself. Throws if the stages leave a request that could cost more than the turn holds: such a stage has a bug, and a
 * cap is never exceeded.
 */
export function forAttempt<Held extends Attempted>(turn: Held, planned: PlannedAttempt): Held {
  const staged = afterStages(turn, planned);
  const request = withNativeTools(staged.request, turn.natives, planned.endpoint.endpoint);
  return request === staged.request ? staged : { ...staged, request };
}

function afterStages<Held extends Attempted>(turn: Held, planned: PlannedAttempt): Held {
  const { attemptStages, held } = turn;
  if (attemptStages.length === 0) return turn;
  const { request, reports } = runAttemptStages(attemptStages, turn.request, planned);
  if (request === turn.request) return turn;
  const input = inputMeasure(request, [planned.endpoint]);
  const outputTokens = request.maxOutputTokens ?? Infinity;
  assert(
    isCovered(held, planned, { input, outputTokens }),
    'invariant: an attempt costs no more than its turn holds',
  );
  return {
    ...turn,
    request,
    inputTokens: estimateInputTokens(request),
    inputImages: input.imagesMax,
    inputMedia: input,
    attemptReports: reports,
  };
}
