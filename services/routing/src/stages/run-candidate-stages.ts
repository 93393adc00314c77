import { isRejection } from '@sluice/errors';
import type { CanonicalCall } from '../request/call.ts';
import type { CandidateContext, CandidateStage, StageRefusal, StageReport } from './stage.ts';

/** The chosen endpoints of a call after the stages. */
export interface StagedCandidates {
  readonly reports: readonly StageReport[];
  /** The name of the stage that took each model out of the choice. */
  readonly excludedModels: ReadonlyMap<string, string>;
  readonly moderationLatencyMs: number | undefined;
}

/** Runs the stages one after the other on the candidates that are left. The first refusal ends them. */
export async function runCandidateStages(
  stages: readonly CandidateStage[],
  call: CanonicalCall,
  context: CandidateContext,
): Promise<StagedCandidates | StageRefusal> {
  let { candidates } = context;
  const reports: StageReport[] = [];
  const excludedModels = new Map<string, string>();
  let moderationLatencyMs: number | undefined;
  for (const stage of stages) {
    const result = await stage.run(call, { ...context, candidates });
    reports.push(...(result.reports ?? []));
    if (isRejection(result)) return { ...result, reports };
    for (const model of result.excludedModels ?? []) excludedModels.set(model, stage.name);
    candidates = candidates.filter(({ model }) => !excludedModels.has(model.id));
    moderationLatencyMs ??= result.moderationLatencyMs;
  }
  return { reports, excludedModels, moderationLatencyMs };
}
