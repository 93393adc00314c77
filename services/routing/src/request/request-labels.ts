import type { InferenceCall } from '@sluice/inference';
import type { CanonicalCall } from './call.ts';
import type { UsageLabels } from './usage-labels.ts';

/** The origin of a request, for its usage facts. */
export type RequestLabels = Omit<UsageLabels, 'endpointId'>;

export function requestLabels(
  { principal, client }: InferenceCall,
  {
    user,
    sessionId,
    trace,
    inference,
  }: Pick<CanonicalCall, 'user' | 'sessionId' | 'trace' | 'inference'>,
  checked: Pick<UsageLabels, 'guardrailInvoked' | 'moderationLatencyMs'>,
): RequestLabels {
  return {
    userId: principal.creatorUserId ?? '',
    externalUser: user ?? '',
    sessionId: sessionId ?? client?.sessionId ?? '',
    httpReferer: client?.referer ?? '',
    userAgent: client?.userAgent ?? '',
    appTitle: client?.title ?? '',
    appCategories: client?.categories ?? [],
    ...checked,
    trace,
    apiType: inference.embedding ? 'embeddings' : '',
  };
}
