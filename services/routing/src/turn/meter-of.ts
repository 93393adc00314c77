import type { PlannedAttempt } from '../selection/plan.ts';
import type { Beginning } from '../usage/journal/outcome.ts';
import type { Generation } from './generation.ts';
import { Meter } from './meter.ts';
import { outputLimitOf } from '../admission/output-limit.ts';

interface Metered {
  readonly planned: PlannedAttempt;
  readonly beginning: Beginning;
}

/** Makes the meter of one attempt. */
export function meterOf(
  generation: Pick<Generation, 'inputTokens' | 'inputImages' | 'request' | 'isOpenEnded'>,
  { planned, beginning }: Metered,
): Meter {
  const { inputTokens, inputImages } = generation;
  const { endpoint, model } = planned;
  return new Meter({
    inputTokens,
    inputImages,
    contextLength: endpoint.contextLength ?? model.contextLength,
    outputTokensMax: outputLimitOf(generation, planned).tokens,
    beginning,
  });
}
