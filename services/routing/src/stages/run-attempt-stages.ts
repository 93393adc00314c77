import type { InferenceRequest } from '@sluice/inference';
import type { AttemptedEndpoint, AttemptStage, StageReport } from './stage.ts';

/** A request as one endpoint gets it. */
interface AttemptedRequest {
  readonly request: InferenceRequest;
  readonly reports: readonly StageReport[];
}

/** Runs the stages one after the other: each gets the request of the one before. */
export function runAttemptStages(
  stages: readonly AttemptStage[],
  request: InferenceRequest,
  attempt: AttemptedEndpoint,
): AttemptedRequest {
  let current = request;
  const reports: StageReport[] = [];
  for (const stage of stages) {
    const { request: changed, report } = stage.forAttempt(current, attempt);
    current = changed;
    if (report) reports.push(report);
  }
  return { request: current, reports };
}
