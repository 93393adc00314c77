import type { InferenceCall } from '@sluice/inference-port';
import type { CanonicalCall } from './call.ts';
import type { UsageLabels } from './usage-labels.ts';

/** The origin of a request, for its usage facts. */
export type RequestLabels = Omit<UsageLabels, 'endpointId' | 'toolType' | 'responseCacheSourceId'>;

/** Usage is summed up by it. */
const appCharactersMax = 128;

function appOf(client: InferenceCall['client']): string {
  const origin = client?.referer === undefined ? undefined : URL.parse(client.referer)?.origin;
  const page = origin === 'null' ? undefined : origin;
  const name = client?.title ?? client?.application ?? page ?? '';
  return name.slice(0, appCharactersMax).toWellFormed();
}

export function requestLabels(
  { principal, client }: InferenceCall,
  {
    user,
    sessionId,
    trace,
    inference,
  }: Pick<CanonicalCall, 'user' | 'sessionId' | 'trace' | 'inference'>,
  checked: Pick<UsageLabels, 'guardrailInvoked' | 'moderationLatencyMs' | 'hasEnd'>,
): RequestLabels {
  return {
    userId: principal.creatorUserId ?? '',
    externalUser: user ?? '',
    sessionId: sessionId ?? client?.sessionId ?? '',
    httpReferer: client?.referer ?? '',
    userAgent: client?.userAgent ?? '',
    appTitle: client?.title ?? '',
    app: appOf(client),
    appCategories: client?.categories ?? [],
    ...checked,
    trace,
    apiType: apiTypeOf(inference),
  };
}

function apiTypeOf({ embedding, ranking }: CanonicalCall['inference']): UsageLabels['apiType'] {
  if (embedding) return 'embeddings';
  return ranking ? 'rerank' : '';
}
