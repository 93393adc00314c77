import type { ListedModel } from './listed-model.ts';

/** The published prices of providers. */
export interface PriceList {
  /**
   * Returns the models of a provider whose price at an instant is known exactly. A provider that is not in the list has
   * none.
   */
  models(provider: string, instant: Date): readonly ListedModel[];
}

/** The providers in it, by our slugs, and their names there. */
const namesInList = {
  anthropic: 'anthropic',
  cohere: 'cohere',
  deepseek: 'deepseek',
  fireworks: 'fireworks',
  'google-ai-studio': 'google',
  groq: 'groq',
  mistral: 'mistral',
  openai: 'openai',
  together: 'together',
  xai: 'x-ai',
} as const;

export const listedProviders: readonly string[] = Object.keys(namesInList);

/** The list that came with this release: 0.8 MB of code that only those load who ask for it. */
export async function loadPriceList(): Promise<PriceList> {
  const { modelsInList } = await import('./genai-prices.ts');
  const names: Readonly<Record<string, string>> = namesInList;
  return {
    models(provider, instant) {
      const name = Object.hasOwn(names, provider) ? names[provider] : undefined;
      return name === undefined ? [] : modelsInList(name, instant);
    },
  };
}
