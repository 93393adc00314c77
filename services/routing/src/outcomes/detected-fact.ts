import type { InferenceCall } from '@sluice/inference-port';
import type { GenerationEnded } from '@sluice/protos/sluice/generation/v1/generation_events';
import type {
  GuardrailDetected,
  GuardrailDetected_Detection,
} from '@sluice/protos/sluice/guardrail/v1/detection_events';
import type { GuardrailDetection } from '../stages/stage.ts';

const detectionsMax = 100;

/** Returns the fact of what guardrails found in a request, with the first 100 detections. */
export function detectedFact(
  { principal, requestId }: Pick<InferenceCall, 'principal' | 'requestId'>,
  detections: readonly GuardrailDetection[],
  { isBlocked }: { readonly isBlocked: boolean },
): Omit<GuardrailDetected, 'detectionId' | 'detectedAt'> {
  const { accountId, workspaceId, keyHash } = principal;
  return {
    accountId,
    workspaceId,
    keyHash,
    requestId,
    detections: detections.slice(0, detectionsMax).map(messageOf),
    omitted: BigInt(Math.max(0, detections.length - detectionsMax)),
    blocked: isBlocked,
  };
}

/** The content that guardrails found in a response, by the stage that found it. */
export interface StagedDetections {
  readonly stage: 'input' | 'added' | 'output';
  readonly detections: readonly GuardrailDetection[];
}

/** Returns the same for the end of a response, with the first 100 detections of all stages. */
export function guardrailEventsOf(
  stages: readonly StagedDetections[],
): Pick<GenerationEnded, 'guardrailEvents' | 'guardrailEventsOmitted'> {
  const all = stages.flatMap(({ stage, detections }) =>
    detections.map((detection) => ({ stage, detection })),
  );
  return {
    guardrailEvents: all
      .slice(0, detectionsMax)
      .map(({ stage, detection }) => ({ stage, detection: messageOf(detection) })),
    guardrailEventsOmitted: BigInt(Math.max(0, all.length - detectionsMax)),
  };
}

const messageOf = ({ slug, count, ...one }: GuardrailDetection): GuardrailDetected_Detection => ({
  ...one,
  filter: slug,
  count: BigInt(count),
});
