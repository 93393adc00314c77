import type { ContentPart, InferenceRequest } from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';

/**
 * True when an endpoint's dialect can say what a request cannot do without. Tools that an upstream runs
 * itself, and a change of the effort in mid-conversation, exist in one dialect alone; what else the
 * others lack is left out or told as text.
 */
export function canSay(endpoint: Pick<Endpoint, 'dialect'>, request: InferenceRequest): boolean {
  if (endpoint.dialect === 'openai-responses') return true;
  if (endpoint.dialect === 'anthropic-messages' && hasMedia(request, ['audio', 'video']))
    return false;
  const hasNativeTool = request.tools.some(({ type }) => type === 'native');
  const changesEffort = request.items.some(
    (item) => item.type === 'native' && item.item['type'] === 'configuration_update',
  );
  return !hasNativeTool && !changesEffort;
}

function hasMedia({ items }: InferenceRequest, types: readonly ContentPart['type'][]): boolean {
  return items.some((item) => {
    return item.type === 'message' && item.content.some(({ type }) => types.includes(type));
  });
}

/** Of the providers that refuse less. */
const outputFloors: ReadonlyMap<string, number> = new Map([
  ['openai', 16],
  ['azure', 16],
]);

/** The least that a provider takes as the limit of an output: a smaller one is to be raised to it. */
export function outputTokensMin({ provider }: Pick<Endpoint, 'provider'>): number {
  return outputFloors.get(provider) ?? 1;
}
