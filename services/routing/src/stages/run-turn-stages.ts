import { isRejection } from '@sluice/errors';
import type { InputItem } from '@sluice/inference';
import type { AlignmentResult } from '../request/alignment.ts';
import type {
  AddedResult,
  AskedVerdict,
  StageEvidence,
  StageRefusal,
  TurnStage,
  Verdict,
} from './stage.ts';

/** Passes items through the stages, one after the other. The first refusal ends them. */
export async function runAddedStages(
  stages: readonly TurnStage[],
  items: readonly InputItem[],
): Promise<AddedResult | StageRefusal> {
  let evidence: Required<StageEvidence> = { reports: [], detections: [] };
  let current = items;
  for (const stage of stages) {
    const result = await stage.runAdded?.(current);
    if (!result) continue;
    const { reports = [], detections = [] } = result;
    evidence = {
      reports: [...evidence.reports, ...reports],
      detections: [...evidence.detections, ...detections],
    };
    if (isRejection(result)) return { ...result, ...evidence };
    current = result.items;
  }
  return { items: current, ...evidence };
}

/** Returns the first verdict that is no pass. */
export async function judgeAnswer(
  stages: readonly TurnStage[],
  answer: readonly InputItem[],
  asked: AskedVerdict,
): Promise<Verdict> {
  for (const stage of stages) {
    const verdict = (await stage.judge?.(answer, asked)) ?? 'pass';
    if (verdict !== 'pass') return verdict;
  }
  return 'pass';
}

/** Returns the judgments of the answers. undefined: no stage judges by rules. */
export function alignmentOf(stages: readonly TurnStage[]): AlignmentResult | undefined {
  for (const stage of stages) {
    const result = stage.alignment?.();
    if (result) return result;
  }
  return undefined;
}

/** Shows an answer to the stages that only look at it. */
export async function observeAnswer(
  stages: readonly TurnStage[],
  answer: readonly InputItem[],
): Promise<void> {
  for (const stage of stages) await stage.observe?.(answer);
}
