import type { ReasoningEffort } from '@sluice/inference';

/** The wire languages we can speak to an upstream. */
export const dialects = [
  'openai-responses',
  'openai-chat',
  'anthropic-messages',
  'google-gemini',
] as const;
export type Dialect = (typeof dialects)[number];

/** One model at one provider, and how to reach it. */
export interface Endpoint {
  /** Our name of the provider. It goes to metrics and usage, never upstream. */
  readonly provider: string;
  readonly dialect: Dialect;
  /** The API's root, e.g. `https://api.example.com/v1`: the dialect's path is added to it. */
  readonly baseUrl: string;
  /** Sent as a bearer token. undefined: the upstream wants none. */
  readonly apiKey: { reveal(): string } | undefined;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  /** Answers are sent to be stored there: what became of one can be asked for later. */
  readonly keepsAnswers?: boolean;
  /** It stops generating, and charging, when a stream is closed; absent: it goes on to the end. */
  readonly cancelsStreams?: boolean;
  /** Its input tokens are those of the texts: it adds no roles, separators or instructions that count. */
  readonly countsTextsOnly?: boolean;
  /** How hard its model can be told to think; absent: in all ways. */
  readonly efforts?: readonly ReasoningEffort[] | undefined;
  /** How this server differs from OpenAI's own chat completions; `openAiChat` when absent. */
  readonly chat?: ChatOptions;
}

/** Differences between servers of chat completions. */
export interface ChatOptions {
  readonly outputLimitField: 'max_completion_tokens' | 'max_tokens';
  /** The role that carries a developer message. */
  readonly developerRole: 'developer' | 'system';
  /** It tells the usage of a stream unasked, and refuses to be asked. */
  readonly tellsUsageUnasked?: true;
  /** It refuses ids of calls that are not nine letters or digits. */
  readonly hasShortCallIds?: true;
  /** How a place of the prompt that is worth being cached is marked; absent: it knows no marks. */
  readonly cacheMark?: 'prompt_cache_breakpoint' | 'cache_control';
  /** It wants to be given back what it thought, with each message of its own. */
  readonly wantsThoughts?: true;
}

export const openAiChat: ChatOptions = {
  outputLimitField: 'max_completion_tokens',
  developerRole: 'developer',
  cacheMark: 'prompt_cache_breakpoint',
};

/** Mistral's own. */
export const mistralChat: ChatOptions = {
  outputLimitField: 'max_tokens',
  developerRole: 'system',
  tellsUsageUnasked: true,
  hasShortCallIds: true,
};

/** DeepSeek's own. */
export const deepSeekChat: ChatOptions = {
  outputLimitField: 'max_tokens',
  developerRole: 'system',
  wantsThoughts: true,
};

/** The options of most servers other than OpenAI's. */
export const compatibleChat: ChatOptions = {
  outputLimitField: 'max_tokens',
  developerRole: 'system',
};

/** OpenRouter's own. */
export const openRouterChat: ChatOptions = { ...compatibleChat, cacheMark: 'cache_control' };
