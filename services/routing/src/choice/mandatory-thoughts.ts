import type { Rejection } from '@sluice/errors';
import type { InferenceRequest } from '@sluice/inference';
import type { Candidate } from './candidate.ts';

/** The refusal of a request that wants no thoughts of models that cannot do without; undefined: it is none. */
export function thoughtsRefused(
  candidates: readonly Candidate[],
  { options }: Pick<InferenceRequest, 'options'>,
): Rejection | undefined {
  const { effort, isEnabled, tokensMax } = options?.reasoning ?? {};
  const path = effort === 'none' ? 'effort' : isEnabled === false ? 'enabled' : 'max_tokens';
  if (path === 'max_tokens' && tokensMax !== 0) return undefined;
  const always = candidates.find(({ model }) => model.reasoning?.isMandatory === true);
  if (!always || !candidates.every(({ model }) => model.reasoning?.isMandatory)) return undefined;
  const message = `${always.model.id} always thinks`;
  return {
    rejected: 'invalid_request',
    message: `Invalid request: reasoning.${path}: ${message}`,
    metadata: { issues: [{ path: `reasoning.${path}`, message }] },
  };
}
