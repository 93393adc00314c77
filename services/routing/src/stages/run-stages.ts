import { isRejection } from '@sluice/errors';
import type { InferenceRequest } from '@sluice/inference';
import type {
  GuardrailDetection,
  OutputStage,
  Stage,
  StageContext,
  StageRefusal,
  StageReport,
} from './stage.ts';

/** A request after its stages. */
export interface Staged {
  readonly request: InferenceRequest;
  readonly reports: readonly StageReport[];
  readonly detections: readonly GuardrailDetection[];
  /** The stages that look at the answer. */
  readonly outputs: readonly OutputStage[];
}

/** Runs the stages one after the other: each gets the request of the one before. The first refusal ends them. */
export async function runStages(
  stages: readonly Stage[],
  request: InferenceRequest,
  context: StageContext,
): Promise<Staged | StageRefusal> {
  let current = request;
  const reports: StageReport[] = [];
  const detections: GuardrailDetection[] = [];
  for (const stage of stages) {
    const result = await stage.run(current, context);
    reports.push(...(result.reports ?? []));
    detections.push(...(result.detections ?? []));
    if (isRejection(result)) return { ...result, reports, detections };
    current = result.request;
  }
  const outputs: OutputStage[] = [];
  for (const stage of stages) {
    const opening = stage.openOutput?.(current, context);
    const output = opening && (await opening);
    if (output) outputs.push(output);
  }
  return { request: current, reports, detections, outputs };
}
