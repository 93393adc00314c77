import { compatibleChat, openAiChat, type ChatOptions, type Dialect } from '@sluice/providers';
import type { Secret } from '@sluice/service';

/** An account at an upstream: how its endpoints are reached. */
export interface Provider {
  readonly slug: string;
  readonly name: string;
  readonly dialect: Dialect;
  readonly baseUrl: string;
  readonly apiKey: Secret | undefined;
  readonly chat: ChatOptions;
  /** Answers are sent to be stored there, so that usage can be asked for after a crash. */
  readonly keepsAnswers?: boolean;
}

/** What switches the built-in providers on; an absent one stays off. */
export interface ProviderKeys {
  readonly openAi?: Secret;
  readonly openRouter?: Secret;
  readonly mistral?: Secret;
  /** `127.0.0.1:11434` or a URL. */
  readonly ollamaHost?: string;
}

/** Those of the providers we know by heart whose setting is there. */
export function builtInProviders(keys: ProviderKeys): readonly Provider[] {
  const providers: Provider[] = [];
  if (keys.openAi)
    providers.push({
      slug: 'openai',
      name: 'OpenAI',
      dialect: 'openai-responses',
      baseUrl: 'https://api.openai.com/v1',
      apiKey: keys.openAi,
      chat: openAiChat,
    });
  if (keys.openRouter)
    providers.push({
      slug: 'openrouter',
      name: 'OpenRouter',
      dialect: 'openai-chat',
      baseUrl: 'https://openrouter.ai/api/v1',
      apiKey: keys.openRouter,
      chat: compatibleChat,
    });
  if (keys.mistral)
    providers.push({
      slug: 'mistral',
      name: 'Mistral',
      dialect: 'openai-chat',
      baseUrl: 'https://api.mistral.ai/v1',
      apiKey: keys.mistral,
      chat: compatibleChat,
    });
  if (keys.ollamaHost !== undefined)
    providers.push({
      slug: 'ollama',
      name: 'Ollama',
      dialect: 'openai-chat',
      baseUrl: `${withScheme(keys.ollamaHost)}/v1`,
      apiKey: undefined,
      chat: compatibleChat,
    });
  return providers;
}

function withScheme(host: string): string {
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`;
  return url.replace(/\/+$/, '');
}
