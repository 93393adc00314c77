import { isRejection, type Rejection } from '@sluice/errors';
import type { InferenceRequest } from '@sluice/inference';
import { admit } from '../admission/admit.ts';
import type { Asked } from '../admission/admission.ts';
import { inputMeasure } from '../admission/input-bound.ts';
import type { TurnDeps } from './deps.ts';

/** A request before its hosted tools are known. */
export interface AskedRequest extends Pick<Asked, 'principal' | 'policy' | 'attempts' | 'words'> {
  readonly request: InferenceRequest;
}

/**
 * Examines whether the caller can pay for a request, before its tools are asked for. Hosted tools and their items are
 * left out: they have no bound before the service has replaced them. Nothing stays held. Returns a Rejection if a
 * budget lacks the worst case of the rest.
 */
export async function acceptRequest(
  deps: TurnDeps,
  { request, ...asked }: AskedRequest,
): Promise<Rejection | undefined> {
  const least = {
    ...request,
    items: request.items.filter(({ type }) => type !== 'native'),
    tools: request.tools.filter(({ type }) => type !== 'native'),
  };
  const endpoints = asked.attempts.map(({ endpoint }) => endpoint);
  const input = inputMeasure(least, endpoints);
  const admission = await admit(deps, {
    ...asked,
    input,
    outputTokensMax: request.maxOutputTokens,
  });
  if (isRejection(admission)) return admission;
  deps.spending.release(admission.held.hold);
  return undefined;
}
