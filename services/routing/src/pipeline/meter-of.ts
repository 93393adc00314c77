import type { PlannedAttempt } from '../choice/plan.ts';
import type { Beginning } from '../usage/outcome.ts';
import type { Generation } from './generation.ts';
import { Meter } from './meter.ts';

interface Metered {
  readonly planned: PlannedAttempt;
  readonly beginning: Beginning;
}

/** Makes the meter of one attempt. */
export function meterOf(
  { inputTokens, inputImages }: Pick<Generation, 'inputTokens' | 'inputImages'>,
  { planned, beginning }: Metered,
): Meter {
  const { endpoint, model } = planned;
  return new Meter({
    inputTokens,
    inputImages,
    contextLength: endpoint.contextLength ?? model.contextLength,
    beginning,
  });
}
