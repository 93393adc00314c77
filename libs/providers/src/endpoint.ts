import type { ReasoningEffort } from '@sluice/inference';

/** The wire formats that Sluice can use with an upstream. */
export const dialects = [
  'openai-responses',
  'openai-chat',
  'anthropic-messages',
  'google-gemini',
] as const;
export type Dialect = (typeof dialects)[number];

/** Tools that an endpoint may have itself. Elsewhere the service runs them. */
export const nativeToolKinds = [
  'web_search',
  'shell',
  'local_shell',
  'apply_patch',
  'image_generation',
] as const;
export type NativeToolKind = (typeof nativeToolKinds)[number];

/** One model at one provider, and how to reach it. */
export interface Endpoint {
  /** The provider's name in Sluice. It appears in metrics and usage, and is never sent upstream. */
  readonly provider: string;
  readonly dialect: Dialect;
  /** The API's root, for example `https://api.example.com/v1`. The dialect's path is appended. */
  readonly baseUrl: string;
  /** Sent as a bearer token. undefined if the upstream needs none. */
  readonly apiKey: { reveal(): string } | undefined;
  /** A customer named the address: it is dialed with `connectPrivate` of the options alone. */
  readonly isPrivate?: true;
  /** Certificates in PEM that are trusted instead of the public authorities. */
  readonly authorities?: string | undefined;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  /** True if the provider stores answers, so that Sluice can look up their usage later. */
  readonly keepsAnswers?: boolean;
  /** The provider stops generating and charging when a stream is closed. Absent: it generates to the end. */
  readonly cancelsStreams?: boolean;
  /** The provider has functions alone, whatever its dialect. Namespaces and freeform tools are sent as functions. */
  readonly hasFunctionsOnly?: boolean;
  /** The tools that the endpoint has itself. Absent: `usualNativeTools` of its dialect. */
  readonly nativeTools?: readonly NativeToolKind[] | undefined;
  /** The provider counts only the texts as input, without roles, separators or instructions. */
  readonly countsTextsOnly?: boolean;
  /** The efforts that the model accepts. Absent: all of them. */
  readonly efforts?: readonly ReasoningEffort[] | undefined;
  /** The differences from OpenAI's chat completions. `openAiChat` if absent. */
  readonly chat?: ChatOptions;
}

/** Differences between servers of chat completions. */
export interface ChatOptions {
  readonly outputLimitField: 'max_completion_tokens' | 'max_tokens';
  /** The role that carries a developer message. */
  readonly developerRole: 'developer' | 'system';
  /** The server always sends the usage of a stream, and refuses `stream_options`. */
  readonly tellsUsageUnasked?: true;
  /** The server refuses call ids that are not exactly nine letters or digits. */
  readonly hasShortCallIds?: true;
  /** The field that marks a cache breakpoint. Absent: the server has none. */
  readonly cacheMark?: 'prompt_cache_breakpoint' | 'cache_control';
  /** The server takes one system message, which must be the first message. */
  readonly takesOneSystemMessage?: true;
  /** The field in which the server takes the text of its earlier thoughts back. Absent: it takes none. */
  readonly thoughtsField?: 'reasoning_content' | 'reasoning';
  /** The server requires its earlier thoughts in each assistant message. */
  readonly wantsThoughts?: true;
  /** The server takes `reasoning_details` of earlier answers back. */
  readonly hasThoughtDetails?: true;
  /** The server sends the vectors of embeddings in base64 if it is asked to. */
  readonly hasBase64Vectors?: true;
  /** The server accepts `input_type` of embeddings, or ignores it. */
  readonly takesInputType?: true;
}

export const openAiChat: ChatOptions = {
  outputLimitField: 'max_completion_tokens',
  developerRole: 'developer',
  cacheMark: 'prompt_cache_breakpoint',
  hasBase64Vectors: true,
};

/** The options of Mistral. */
export const mistralChat: ChatOptions = {
  outputLimitField: 'max_tokens',
  developerRole: 'system',
  tellsUsageUnasked: true,
  hasShortCallIds: true,
  hasBase64Vectors: true,
};

/** The options of DeepSeek. */
export const deepSeekChat: ChatOptions = {
  outputLimitField: 'max_tokens',
  developerRole: 'system',
  wantsThoughts: true,
};

/** The options of most servers other than OpenAI's. */
export const compatibleChat: ChatOptions = {
  outputLimitField: 'max_tokens',
  developerRole: 'system',
  takesInputType: true,
};

/** The options of vLLM and Ollama, which take the thoughts of their models back and ignore unknown fields. */
export const localChat: ChatOptions = { ...compatibleChat, thoughtsField: 'reasoning' };

/** The options of OpenRouter. */
export const openRouterChat: ChatOptions = {
  ...compatibleChat,
  cacheMark: 'cache_control',
  hasThoughtDetails: true,
  hasBase64Vectors: true,
};
