import type { InferenceRequest } from '@sluice/inference';
import type { Served } from '../request/leave-out-tools.ts';
import { type Candidate, outputTokensMaxOf } from './candidate.ts';

/**
 * Returns the request with the most output tokens that one of the candidates makes, and with the same share of them for
 * thoughts. undefined: one of them makes as many as are asked for.
 */
export function withLoweredLimit(
  candidates: readonly Pick<Candidate, 'model' | 'endpoint'>[],
  request: InferenceRequest,
): Served<InferenceRequest> | undefined {
  const { maxOutputTokens: asked = 0, options } = request;
  const most = Math.max(...candidates.map(outputTokensMaxOf));
  if (asked <= most) return undefined;
  const lowered = { ...request, maxOutputTokens: most };
  const reasoning = options?.reasoning;
  if (reasoning?.tokensMax === undefined) return { request: lowered, leftOut: [] };
  const tokensMax = Math.floor((reasoning.tokensMax * most) / asked);
  const shared = { ...options, reasoning: { ...reasoning, tokensMax } };
  return { request: { ...lowered, options: shared }, leftOut: [] };
}

/** Returns a warning that the output limit of a request was lowered. Absent: it was not. */
export function limitWarning(
  asked: Pick<InferenceRequest, 'maxOutputTokens'>,
  { maxOutputTokens: sent }: Pick<InferenceRequest, 'maxOutputTokens'>,
  field: string,
): string | undefined {
  if (sent === asked.maxOutputTokens) return undefined;
  return `${field} lowered to ${String(sent)}: the model gives no more`;
}
