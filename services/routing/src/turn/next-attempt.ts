import type { ErrorCode, Fault } from '@sluice/errors';
import type { PlannedAttempt } from '../selection/plan.ts';

/** Refusals of a request that another provider may not share. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'invalid_prompt',
  'payload_too_large',
  'unprocessable',
  'string_too_long',
  'invalid_image',
  'image_too_large',
  'image_too_small',
  'unsupported_image_format',
  'image_download_failed',
  'image_not_found',
]);

/**
 * Returns the place of the next attempt after a failure before any output, or undefined if there is none. A failure
 * that does not depend on the request tries the next attempt. A request that is too long needs a larger context. A
 * filtered request needs another model. Any other refusal is retried once, at an endpoint with other limits. The
 * spare models of a router serve only after failures that do not depend on the request.
 */
export function nextAttempt(
  attempts: readonly PlannedAttempt[],
  place: number,
  { fault, isSecondRefusal }: { readonly fault: Fault; readonly isSecondRefusal: boolean },
): number | undefined {
  const failed = attempts[place];
  if (!failed) return undefined;
  // A failed credential or a missing model does not affect the next attempt.
  if (fault.retryable || fault.code === 'model_unavailable_upstream')
    return place + 1 < attempts.length ? place + 1 : undefined;
  const firstAfter = (may: (other: PlannedAttempt) => boolean): number | undefined => {
    const found = attempts.findIndex(
      (other, index) => index > place && mayFollow(other, failed) && may(other),
    );
    return found < 0 ? undefined : found;
  };
  if (fault.code === 'content_policy_violation')
    return firstAfter(({ model }) => model.id !== failed.model.id);
  if (fault.code === 'context_length_exceeded')
    return firstAfter(
      (other) => other.model.id !== failed.model.id || roomOf(other) > roomOf(failed),
    );
  if (!isRefusal(fault.code) || isSecondRefusal) return undefined;
  return firstAfter((other) => hasOtherLimits(other, failed));
}

function mayFollow({ model, isSpare }: PlannedAttempt, failed: PlannedAttempt): boolean {
  return !isSpare || model.id === failed.model.id;
}

/** Returns true if the provider understood the request and refused it. */
export function isRefusal(code: ErrorCode): boolean {
  return refusals.has(code);
}

function roomOf({ endpoint, model }: PlannedAttempt): number {
  return Math.min(
    endpoint.contextLength ?? model.contextLength ?? Infinity,
    endpoint.promptTokensMax ?? Infinity,
  );
}

/** Returns true for another model, or another provider whose limits or abilities differ. */
function hasOtherLimits(other: PlannedAttempt, failed: PlannedAttempt): boolean {
  if (other.model.id !== failed.model.id) return true;
  const [one, two] = [other.endpoint, failed.endpoint];
  if (one.endpoint.provider === two.endpoint.provider) return false;
  return (
    one.endpoint.dialect !== two.endpoint.dialect ||
    one.contextLength !== two.contextLength ||
    one.promptTokensMax !== two.promptTokensMax ||
    one.outputTokensMax !== two.outputTokensMax ||
    one.inputModalities.join() !== two.inputModalities.join() ||
    one.supportedParameters.symmetricDifference(two.supportedParameters).size > 0
  );
}
