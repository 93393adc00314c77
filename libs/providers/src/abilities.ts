import type { ContentPart, InferenceRequest } from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';

/**
 * True when an endpoint's dialect can say what a request cannot do without. Tools that an upstream runs
 * itself exist in one dialect alone; what else the others lack is left out or told as text.
 */
export function canSay(endpoint: Pick<Endpoint, 'dialect'>, request: InferenceRequest): boolean {
  if (endpoint.dialect === 'openai-responses') return true;
  if (endpoint.dialect === 'anthropic-messages' && hasMedia(request, ['audio', 'video']))
    return false;
  return !request.tools.some(({ type }) => type === 'native');
}

/** True when an endpoint can be told in mid-conversation to think harder or less from there on. */
export function canChangeEffort({ dialect }: Pick<Endpoint, 'dialect'>): boolean {
  return dialect === 'openai-responses';
}

/** True when an endpoint keeps templates of prompts. */
export function canFillPrompts({ dialect }: Pick<Endpoint, 'dialect'>): boolean {
  return dialect === 'openai-responses';
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
