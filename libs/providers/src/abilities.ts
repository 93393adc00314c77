import type { ContentPart, InferenceRequest } from '@sluice/inference';
import { type Dialect, type Endpoint, type NativeToolKind, nativeToolKinds } from './endpoint.ts';
import { canBeFunction } from './tools/defined-functions.ts';

/** The kinds of content that each dialect supports. */
export const sayableModalities: Readonly<Record<Dialect, readonly ContentPart['type'][]>> = {
  'openai-responses': ['text', 'image', 'file', 'audio', 'video'],
  'openai-chat': ['text', 'image', 'file', 'audio', 'video'],
  'anthropic-messages': ['text', 'image', 'file'],
  'google-gemini': ['text', 'image', 'file', 'audio', 'video'],
};

/** The kinds of content that each dialect makes vectors of. */
export const embeddableModalities: Readonly<Record<Dialect, readonly ContentPart['type'][]>> = {
  'openai-responses': ['text'],
  'openai-chat': ['text'],
  'anthropic-messages': [],
  'google-gemini': sayableModalities['google-gemini'],
};

/** The kinds of content that each dialect ranks. */
export const rankableModalities: Readonly<Record<Dialect, readonly ContentPart['type'][]>> = {
  'openai-responses': ['text', 'image'],
  'openai-chat': ['text', 'image'],
  'anthropic-messages': [],
  'google-gemini': [],
};

/** Returns true if an endpoint's dialect supports the content of a request. Other gaps are omitted or sent as text. */
export function canSay(endpoint: Pick<Endpoint, 'dialect'>, request: InferenceRequest): boolean {
  if (endpoint.dialect === 'openai-responses') return true;
  if (endpoint.dialect === 'anthropic-messages' && has(request, isAudioOrVideo)) return false;
  return endpoint.dialect !== 'openai-chat' || !has(request, isPictureById);
}

/** Tools that Anthropic defines and the client runs, by kind and version. */
const definedTools = /^(?:bash|computer|memory|text_editor)_20\d{6}$/;

/** Returns true for a tool that Anthropic defines. Its models know it, and the client runs it. */
export function isDefinedTool(kind: unknown): boolean {
  return typeof kind === 'string' && definedTools.test(kind);
}

/** The kinds of tools without a name of the client that each dialect has, beside those that Anthropic defines. */
const nativeKinds: Readonly<Record<Dialect, readonly unknown[]>> = {
  'openai-responses': [
    'file_search',
    'computer_use_preview',
    'code_interpreter',
    'mcp',
    'computer',
  ],
  'openai-chat': [],
  'anthropic-messages': [],
  'google-gemini': [],
};

/** The tools that endpoints of a dialect have if the catalog says nothing of them. */
const usualNativeTools: Readonly<Record<Dialect, readonly NativeToolKind[]>> = {
  'openai-responses': ['shell', 'local_shell', 'apply_patch', 'image_generation'],
  'openai-chat': [],
  'anthropic-messages': [],
  'google-gemini': [],
};

/** The tools that a dialect can ask an endpoint for. */
const askableNativeTools: Readonly<Record<Dialect, readonly NativeToolKind[]>> = {
  'openai-responses': nativeToolKinds,
  'openai-chat': [],
  'anthropic-messages': ['web_search'],
  'google-gemini': [],
};

type WithNatives = Pick<Endpoint, 'dialect' | 'hasFunctionsOnly' | 'nativeTools'>;

/** Returns true if an endpoint has the tool itself, as its row of the catalog says. */
export function hasNativeTool(endpoint: WithNatives, kind: unknown): boolean {
  const { dialect, hasFunctionsOnly, nativeTools = usualNativeTools[dialect] } = endpoint;
  if (hasFunctionsOnly) return false;
  const isKind = (known: string): boolean => known === kind;
  return nativeTools.some(isKind) && askableNativeTools[dialect].some(isKind);
}

/** The kinds that the client runs: the provider reads its answer in the next request. */
const clientRunKinds: ReadonlySet<unknown> = new Set([
  'computer_use_preview',
  'computer',
  'local_shell',
  'apply_patch',
]);

/** Returns true if the provider runs a native tool of this kind, and then reads its input again within the request. */
export function isRunByProvider(kind: unknown): boolean {
  return !clientRunKinds.has(kind) && !isDefinedTool(kind);
}

type WithTools = WithNatives;

/** Returns true if the models of an endpoint know the tools that Anthropic defines. */
export function knowsDefinedTools({
  dialect,
  hasFunctionsOnly,
}: Pick<Endpoint, 'dialect' | 'hasFunctionsOnly'>): boolean {
  return dialect === 'anthropic-messages' && !hasFunctionsOnly;
}

/** Returns true if an endpoint has a kind of native tool, or can be sent a function in its place. */
export function hasToolKind(endpoint: WithTools, kind: unknown): boolean {
  const { dialect, hasFunctionsOnly } = endpoint;
  if (canBeFunction(kind)) return true;
  if (hasFunctionsOnly) return false;
  if (hasNativeTool(endpoint, kind)) return true;
  return knowsDefinedTools(endpoint) ? isDefinedTool(kind) : nativeKinds[dialect].includes(kind);
}

/** Returns true if an endpoint supports the tools of a request. */
export function canRun(endpoint: WithTools, { tools }: Pick<InferenceRequest, 'tools'>): boolean {
  return tools.every((tool) => tool.type !== 'native' || hasToolKind(endpoint, tool.tool['type']));
}

/** Returns true if the effort can change in the middle of a conversation. */
export function canChangeEffort({ dialect }: Pick<Endpoint, 'dialect'>): boolean {
  return dialect === 'openai-responses';
}

/** Returns true if an endpoint stores prompt templates. */
export function canFillPrompts({ dialect }: Pick<Endpoint, 'dialect'>): boolean {
  return dialect === 'openai-responses';
}

/** Parameters of chat completions alone. */
const openChatOnly = ['repetition_penalty', 'min_p', 'top_a', 'logit_bias'] as const;

/** The parameters that a dialect lacks, by their catalog names. */
export const unsayableParameters: Readonly<Record<Dialect, readonly string[]>> = {
  'openai-responses': [
    'top_k',
    'frequency_penalty',
    'presence_penalty',
    'seed',
    'stop',
    'prediction',
    ...openChatOnly,
  ],
  'openai-chat': [],
  'anthropic-messages': [
    'frequency_penalty',
    'presence_penalty',
    'top_logprobs',
    'seed',
    'prediction',
    ...openChatOnly,
  ],
  'google-gemini': ['parallel_tool_calls', 'verbosity', 'prediction', ...openChatOnly],
};

function has({ items }: InferenceRequest, isMeant: (part: ContentPart) => boolean): boolean {
  return items.some((item) => {
    if (item.type === 'message') return item.content.some(isMeant);
    const isAnswer =
      item.type === 'function-call-output' || item.type === 'custom-tool-call-output';
    return isAnswer && typeof item.output !== 'string' && item.output.some(isMeant);
  });
}

function isAudioOrVideo({ type }: ContentPart): boolean {
  return type === 'audio' || type === 'video';
}

/** Returns true for an image that is named by an id. Chat completions accept ids for files only. */
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

/** Returns the smallest output limit that a provider accepts. Smaller limits must be raised to it. */
export function outputTokensMin({ provider }: Pick<Endpoint, 'provider'>): number {
  return outputFloors.get(provider) ?? 1;
}

/** Why an endpoint cannot be sent the inputs of a call for vectors. */
export type EmbeddingGap = 'media' | 'tokens';

/** Returns why an endpoint's dialect cannot say the inputs of a call for vectors; undefined: it can. */
export function embeddingGap(
  { dialect }: Pick<Endpoint, 'dialect'>,
  request: InferenceRequest,
): EmbeddingGap | undefined {
  if (!request.embedding) return undefined;
  if (request.embedding.tokens && !tokenDialects.has(dialect)) return 'tokens';
  const known = embeddableModalities[dialect];
  return has(request, ({ type }) => !known.includes(type)) ? 'media' : undefined;
}

/** The dialects that make vectors of inputs that come as tokens. */
const tokenDialects: ReadonlySet<Dialect> = new Set(['openai-responses', 'openai-chat']);
