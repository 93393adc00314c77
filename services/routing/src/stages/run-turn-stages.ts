import { isRejection } from '@sluice/errors';
import type { InputItem } from '@sluice/inference';
import type { AddedResult, StageEvidence, StageRefusal, TurnStage, Verdict } from './stage.ts';

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
): Promise<Verdict> {
  for (const stage of stages) {
    const verdict = (await stage.judge?.(answer)) ?? 'pass';
    if (verdict !== 'pass') return verdict;
  }
  return 'pass';
}
