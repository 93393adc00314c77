import type { StreamPart } from '@sluice/inference';
import type { OutputStage } from '../stages/stage.ts';

/** Passes parts through the stages that look at the answer. */
export async function checkOutput(
  outputs: readonly OutputStage[],
  parts: readonly StreamPart[],
): Promise<readonly StreamPart[]> {
  let left = parts;
  for (const output of outputs) left = await output.parts(left);
  return left;
}

/** The result of the stages so far. */
export interface OutputChecked {
  /** A guardrail found something. */
  readonly isFound: boolean;
  /** The client does not get the rest of the answer. */
  readonly isWithheld: boolean;
}

const unchecked: OutputChecked = { isFound: false, isWithheld: false };

export function checkedSoFar(outputs: readonly OutputStage[]): OutputChecked {
  if (outputs.length === 0) return unchecked;
  const reports = outputs.map((output) => output.report());
  return {
    isFound: reports.some(({ detections }) => detections.length > 0),
    isWithheld: reports.some(({ isBlocked }) => isBlocked),
  };
}
