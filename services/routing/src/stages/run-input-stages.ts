import { isRejection } from '@sluice/errors';
import type { CanonicalCall } from '../request/call.ts';
import type {
  GuardrailDetection,
  InputContext,
  InputStage,
  StageRefusal,
  StageReport,
} from './stage.ts';

/** A call after its input stages. */
export interface Staged {
  readonly call: CanonicalCall;
  readonly reports: readonly StageReport[];
  readonly detections: readonly GuardrailDetection[];
}

/** Runs the stages one after the other: each gets the call of the one before. The first refusal ends them. */
export async function runInputStages(
  stages: readonly InputStage[],
  call: CanonicalCall,
  context: InputContext,
): Promise<Staged | StageRefusal> {
  let current = call;
  const reports: StageReport[] = [];
  const detections: GuardrailDetection[] = [];
  for (const stage of stages) {
    const result = await stage.run(current, context);
    reports.push(...(result.reports ?? []));
    detections.push(...(result.detections ?? []));
    if (isRejection(result)) return { ...result, reports, detections };
    current = result.call;
  }
  return { call: current, reports, detections };
}
