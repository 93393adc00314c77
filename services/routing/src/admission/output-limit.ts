import type { InferenceRequest } from '@sluice/inference';
import { outputTokensMaxOf } from '../selection/candidate.ts';
import { withMandatoryThoughts } from '../selection/mandatory-thoughts.ts';
import type { PlannedAttempt } from '../selection/plan.ts';
import { contextLengthOf, outputTokensSent } from './worst-case.ts';

/** The output limit that an endpoint is sent for a request. */
export interface OutputLimit {
  /** If undefined, no limit is sent. */
  readonly tokens: number | undefined;
  /** Why it is below what the model can give, where the client named no limit. */
  readonly limitedBy?: 'budget' | 'context' | 'dialect';
}

interface Limited {
  readonly request: InferenceRequest;
  /** The client named no limit. */
  readonly isOpenEnded: boolean;
  /** Our own count. */
  readonly inputTokens: number;
}

/** Our own count of an input may be so many times too low. */
const inputFactor = 2;
/** A limit is not lowered below this for the context: whether it still fits is for the provider to say. */
const contextTokensMin = 1_024;

/**
 * Returns the output limit to send: what the hold pays for, as far as the model goes. Where the client named
 * none it leaves room for the input in the context, because providers refuse what does not fit.
 */
export function outputLimitOf(
  { request, isOpenEnded, inputTokens }: Limited,
  planned: PlannedAttempt,
): OutputLimit {
  const sent = outputTokensSent(request.maxOutputTokens ?? Infinity, planned);
  if (!isOpenEnded || sent === undefined) return { tokens: sent };
  const context = contextLengthOf(planned) ?? Infinity;
  const room = Math.max(contextTokensMin, context - inputFactor * inputTokens - contextTokensMin);
  if (room < sent) return { tokens: room, limitedBy: 'context' };
  const own = outputTokensMaxOf(planned);
  if (sent >= own) return { tokens: sent };
  return { tokens: sent, limitedBy: request.maxOutputTokens === undefined ? 'dialect' : 'budget' };
}

/** Returns the request of a generation as an attempt is asked it, with the limit that its model gets. */
export function askedOf(limited: Limited, planned: PlannedAttempt): InferenceRequest {
  const asked = withMandatoryThoughts(planned.model, limited.request);
  const maxOutputTokens = outputLimitOf(limited, planned).tokens;
  return asked.maxOutputTokens === maxOutputTokens ? asked : { ...asked, maxOutputTokens };
}
