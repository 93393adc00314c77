/** Every provider that can be named, in the order of the alphabet. */
export const providerSlugs = [
  'ai21',
  'aion-labs',
  'akashml',
  'alibaba',
  'amazon-bedrock',
  'amazon-nova',
  'ambient',
  'anthropic',
  'arcee-ai',
  'atlas-cloud',
  'avian',
  'azure',
  'baidu',
  'baseten',
  'black-forest-labs',
  'byteplus',
  'cerebras',
  'chutes',
  'cirrascale',
  'clarifai',
  'cloudflare',
  'cohere',
  'coreweave',
  'crusoe',
  'darkbloom',
  'databricks',
  'decart',
  'deepgram',
  'deepinfra',
  'deepseek',
  'dekallm',
  'digitalocean',
  'featherless',
  'fireworks',
  'fish-audio',
  'friendli',
  'gmicloud',
  'google-ai-studio',
  'google-vertex',
  'groq',
  'heygen',
  'inception',
  'inceptron',
  'inferact-vllm',
  'inference-net',
  'infermatic',
  'inflection',
  'io-net',
  'ionstream',
  'krea',
  'liquid',
  'makora',
  'mancer',
  'mara',
  'meta',
  'minimax',
  'mistral',
  'modal',
  'modelrun',
  'modular',
  'moonshotai',
  'morph',
  'ncompass',
  'nebius',
  'nex-agi',
  'nextbit',
  'novita',
  'nvidia',
  'open-inference',
  'openai',
  'parasail',
  'perceptron',
  'perplexity',
  'phala',
  'poolside',
  'quiver',
  'recraft',
  'reka',
  'relace',
  'runway',
  'sail-research',
  'sakana',
  'sakana-ai',
  'sambanova',
  'seed',
  'siliconflow',
  'sourceful',
  'stepfun',
  'streamlake',
  'switchpoint',
  'tencent',
  'tenstorrent',
  'thinkingmachines',
  'together',
  'upstage',
  'venice',
  'wafer',
  'wandb',
  'wandb-legacy',
  'xai',
  'xiaomi',
  'z-ai',
] as const;

/** Engines that search or fetch pages, and serve no model. Perplexity does both. */
export const engineSlugs = ['brave', 'exa', 'firecrawl', 'parallel', 'tavily'] as const;

export type ProviderSlug = (typeof providerSlugs)[number];

const known: ReadonlySet<string> = new Set(providerSlugs);
const engines: ReadonlySet<string> = new Set(engineSlugs);

/** The form of every slug, also of a provider that only the catalog of an installation has. */
export const providerSlugPattern = /^[a-z0-9-]{1,64}$/;

/** True for a text that may be the slug of some provider. */
export function isWellFormedSlug(text: string): boolean {
  return providerSlugPattern.test(text);
}

/** True for a provider that can be named, whether or not it is reached from here. */
export function isProviderSlug(text: string): text is ProviderSlug {
  return known.has(text);
}

/** True for an engine that accounts bring their own keys for. */
export function isEngineSlug(text: string): boolean {
  return engines.has(text);
}
