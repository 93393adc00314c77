import {
  compatibleChat,
  deepSeekChat,
  localChat,
  mistralChat,
  openAiChat,
  openRouterChat,
  type ChatOptions,
  type Dialect,
} from './endpoint.ts';

/** A built-in provider. A deployment configures only a key or an address. */
export interface ProviderPreset {
  readonly slug: string;
  readonly name: string;
  readonly dialect: Dialect;
  readonly chat: ChatOptions;
  /** The provider stops generating and charging when a stream is closed. */
  readonly cancelsStreams?: true;
  /** The API's root. Absent if the deployment has to set it. */
  readonly baseUrl?: string;
  /** The setting with the address, `host:port` or a URL. It enables the provider. */
  readonly addressSetting?: string;
  /** The path that is appended to the address. */
  readonly addressPath?: string;
  /** The setting with the key. It enables a provider that has no address setting. */
  readonly keySetting?: string;
  /** The provider runs on the operator's machine. Its models are free and not known in advance. */
  readonly isLocal?: true;
}

const hosted = (
  slug: string,
  name: string,
  baseUrl: string,
  keySetting: string,
  dialect: Dialect = 'openai-chat',
): ProviderPreset => ({
  slug,
  name,
  dialect,
  chat: dialect === 'openai-responses' ? openAiChat : compatibleChat,
  baseUrl,
  keySetting,
});

const cancelling = (preset: ProviderPreset): ProviderPreset => ({
  ...preset,
  cancelsStreams: true,
});

export const providerPresets: readonly ProviderPreset[] = [
  cancelling(
    hosted('openai', 'OpenAI', 'https://api.openai.com/v1', 'OPENAI_API_KEY', 'openai-responses'),
  ),
  cancelling(
    hosted(
      'anthropic',
      'Anthropic',
      'https://api.anthropic.com/v1',
      'ANTHROPIC_API_KEY',
      'anthropic-messages',
    ),
  ),
  hosted(
    'google-ai-studio',
    'Google AI Studio',
    'https://generativelanguage.googleapis.com/v1beta',
    'GEMINI_API_KEY',
    'google-gemini',
  ),
  {
    ...hosted('mistral', 'Mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
    chat: mistralChat,
  },
  hosted('groq', 'Groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  {
    ...hosted('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
    cancelsStreams: true,
    chat: deepSeekChat,
  },
  cancelling(hosted('together', 'Together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY')),
  cancelling(
    hosted('fireworks', 'Fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  ),
  cancelling(hosted('xai', 'xAI', 'https://api.x.ai/v1', 'XAI_API_KEY')),
  cancelling(
    hosted('cohere', 'Cohere', 'https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY'),
  ),
  {
    ...hosted('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
    chat: openRouterChat,
  },
  {
    slug: 'azure',
    name: 'Azure',
    dialect: 'openai-responses',
    chat: openAiChat,
    cancelsStreams: true,
    addressSetting: 'AZURE_OPENAI_ENDPOINT',
    addressPath: '/openai/v1',
    keySetting: 'AZURE_OPENAI_API_KEY',
  },
  {
    slug: 'ollama',
    name: 'Ollama',
    dialect: 'openai-chat',
    chat: localChat,
    cancelsStreams: true,
    addressSetting: 'OLLAMA_HOST',
    addressPath: '/v1',
    isLocal: true,
  },
  {
    slug: 'vllm',
    name: 'vLLM',
    dialect: 'openai-chat',
    chat: localChat,
    cancelsStreams: true,
    addressSetting: 'VLLM_HOST',
    addressPath: '/v1',
    keySetting: 'VLLM_API_KEY',
    isLocal: true,
  },
];

/** The settings that enable a provider. */
export const switchingSettings: readonly string[] = providerPresets.map(
  ({ addressSetting, keySetting }) => addressSetting ?? keySetting ?? '',
);
