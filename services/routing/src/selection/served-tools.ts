import type { InferenceRequest } from '@sluice/inference';
import { hasToolKind } from '@sluice/providers';
import { hostedKinds, leaveOutTools, type Served } from '../request/leave-out-tools.ts';
import type { Candidate } from './candidate.ts';

/**
 * Returns the request without the hosted tools that the best of the candidates lacks. The best one runs the most
 * tools. undefined: one candidate runs all of them, or the request is about one that is lacking.
 */
export function servedTools(
  candidates: readonly Pick<Candidate, 'endpoint'>[],
  request: InferenceRequest,
): Served<InferenceRequest> | undefined {
  const kinds = hostedKinds(request.tools);
  if (kinds.length === 0) return undefined;
  let best: readonly string[] = [];
  for (const { endpoint } of candidates) {
    const run = kinds.filter((kind) => hasToolKind(endpoint.endpoint, kind));
    if (run.length === kinds.length) return undefined;
    if (run.length > best.length) best = run;
  }
  const isServed = new Set(best);
  return leaveOutTools(request, ({ type }) => isServed.has(String(type)));
}
