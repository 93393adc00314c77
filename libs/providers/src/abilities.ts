import type { ContentPart, InferenceRequest } from '@sluice/inference';
import type { Dialect, Endpoint } from './endpoint.ts';

/** Kinds of content that a dialect has words for. */
export const sayableModalities: Readonly<Record<Dialect, readonly ContentPart['type'][]>> = {
  'openai-responses': ['text', 'image', 'file', 'audio', 'video'],
  'openai-chat': ['text', 'image', 'file', 'audio', 'video'],
  'anthropic-messages': ['text', 'image', 'file'],
  'google-gemini': ['text', 'image', 'file', 'audio', 'video'],
};

/** True when an endpoint's dialect can say the content of a request; what else it lacks is left out or told as text. */
export function canSay(endpoint: Pick<Endpoint, 'dialect'>, request: InferenceRequest): boolean {
  if (endpoint.dialect === 'openai-responses') return true;
  if (endpoint.dialect === 'anthropic-messages' && has(request, isSeenOrHeard)) return false;
  return endpoint.dialect !== 'openai-chat' || !has(request, isPictureById);
}

/** True when an endpoint can be asked for the tools of a request: those that an upstream runs exist in one dialect. */
export function canRun(
  { dialect }: Pick<Endpoint, 'dialect'>,
  { tools }: Pick<InferenceRequest, 'tools'>,
): boolean {
  return dialect === 'openai-responses' || !tools.some(({ type }) => type === 'native');
}

/** True when an endpoint can be told in mid-conversation to think harder or less from there on. */
export function canChangeEffort({ dialect }: Pick<Endpoint, 'dialect'>): boolean {
  return dialect === 'openai-responses';
}

/** True when an endpoint keeps templates of prompts. */
export function canFillPrompts({ dialect }: Pick<Endpoint, 'dialect'>): boolean {
  return dialect === 'openai-responses';
}

/** Parameters, by the names of the catalogue, that a dialect has no words for. */
export const unsayableParameters: Readonly<Record<Dialect, readonly string[]>> = {
  'openai-responses': ['top_k', 'frequency_penalty', 'presence_penalty'],
  'openai-chat': [],
  'anthropic-messages': ['frequency_penalty', 'presence_penalty', 'top_logprobs', 'verbosity'],
  'google-gemini': ['parallel_tool_calls', 'verbosity'],
};

function has({ items }: InferenceRequest, isMeant: (part: ContentPart) => boolean): boolean {
  return items.some((item) => {
    if (item.type === 'message') return item.content.some(isMeant);
    const isAnswer =
      item.type === 'function-call-output' || item.type === 'custom-tool-call-output';
    return isAnswer && typeof item.output !== 'string' && item.output.some(isMeant);
  });
}

function isSeenOrHeard({ type }: ContentPart): boolean {
  return type === 'audio' || type === 'video';
}

/** Chat completions know files by their id, and pictures by what they are. */
function isPictureById(part: ContentPart): boolean {
  return part.type === 'image' && part.source.type === 'id';
}

/** Anthropic's dialect must name an output limit. Each of its models can write this many tokens. */
export const outputTokensUnnamed = 4_096;

/** Returns true when a dialect must name an output limit. */
export function mustNameOutputLimit({ dialect }: Pick<Endpoint, 'dialect'>): boolean {
  return dialect === 'anthropic-messages';
}

/** Output floors of the providers that refuse a smaller limit. */
const outputFloors: ReadonlyMap<string, number> = new Map([
  ['openai', 16],
  ['azure', 16],
]);

/** The least that a provider takes as the limit of an output: a smaller one is to be raised to it. */
export function outputTokensMin({ provider }: Pick<Endpoint, 'provider'>): number {
  return outputFloors.get(provider) ?? 1;
}
