import { openStages } from '../../stages/open-stages.ts';
import type { OutputStage } from '../../stages/stage.ts';
import type { Fitted } from './fit-request.ts';
import type { ReadCall } from './read-call.ts';

/** The stages that work on the response to one request. */
export interface ResponseStages {
  /** Look at the answer, in their order. */
  readonly outputs: readonly OutputStage[];
}

export async function openResponseStages({
  pipeline: { stages },
  context,
  request,
}: ReadCall & Fitted): Promise<ResponseStages> {
  return { outputs: await openStages(stages.output, request, context) };
}
