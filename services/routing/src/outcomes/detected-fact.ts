import type { InferenceCall } from '@sluice/inference-port';
import type { GuardrailDetected } from '@sluice/protos/sluice/guardrail/v1/detection_events';
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
    detections: detections.slice(0, detectionsMax).map(({ slug, count, ...one }) => ({
      ...one,
      filter: slug,
      count: BigInt(count),
    })),
    omitted: BigInt(Math.max(0, detections.length - detectionsMax)),
    blocked: isBlocked,
  };
}
