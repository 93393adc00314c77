import { isRejection, type Rejection } from '@sluice/errors';
import type { InferenceRequest } from '@sluice/inference';
import type { Stage, StageContext, StageReport } from './stage.ts';

/** A request after its stages. */
export interface Staged {
  readonly request: InferenceRequest;
  readonly reports: readonly StageReport[];
}

/** Runs the stages one after the other: each gets the request of the one before. */
export async function runStages(
  stages: readonly Stage[],
  request: InferenceRequest,
  context: StageContext,
): Promise<Staged | Rejection> {
  let current = request;
  const reports: StageReport[] = [];
  for (const stage of stages) {
    const result = await stage.run(current, context);
    if (isRejection(result)) return result;
    current = result.request;
    if (result.report) reports.push(result.report);
  }
  return { request: current, reports };
}
