import {
  alwaysThinking,
  type Family,
  type FamilyFacts,
  formats,
  type Parameters,
  sampling,
  tools,
} from './family.ts';

const chat: Parameters = ['max_tokens', ...sampling, ...tools, 'response_format'];
const formed: Parameters = [...new Set([...chat, ...formats])];
const openWeights: FamilyFacts = {
  parameters: [...formed, 'reasoning'],
  isReasoning: true,
  reasoning: alwaysThinking(['high', 'medium', 'low'], 'medium'),
};
const long = { contextLength: 131_072 };
const text = (parameters: Parameters): FamilyFacts => ({ parameters });
const seeing = (parameters: Parameters): FamilyFacts => ({
  parameters,
  inputModalities: ['text', 'image'],
});

/** Rows of a host: its name of the model in the price list, what the model is called here, and the rest. */
type Row = readonly [name: string, id: string, facts: FamilyFacts];

/** A model that several providers host is one model, with an endpoint at each. */
const [oss120, oss20] = ['openai/gpt-oss-120b', 'openai/gpt-oss-20b'];
const [llama33, llama31] = [
  'meta-llama/llama-3.3-70b-instruct',
  'meta-llama/llama-3.1-8b-instruct',
];
const [maverick, scout] = ['meta-llama/llama-4-maverick', 'meta-llama/llama-4-scout'];

const groq: readonly Row[] = [
  ['openai/gpt-oss-120b', oss120, openWeights],
  ['openai/gpt-oss-20b', oss20, openWeights],
  ['llama-3.3-70b-versatile', llama33, { ...text(chat), ...long }],
  ['llama-3.1-8b-instant', llama31, { ...text(chat), ...long }],
  ['meta-llama/llama-4-maverick-17b-128e-instruct', maverick, seeing(formed)],
  ['meta-llama/llama-4-scout-17b-16e-instruct', scout, { ...seeing(formed), ...long }],
  ['qwen/qwen3-32b', 'qwen/qwen3-32b', text(chat)],
  ['moonshotai/kimi-k2-instruct', 'moonshotai/kimi-k2', text(formed)],
];

const together: readonly Row[] = [
  [
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    llama33,
    { ...text(chat), quantization: 'fp8', ...long },
  ],
  [
    'meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo',
    llama31,
    { ...text(chat), quantization: 'fp8', ...long },
  ],
  [
    'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8',
    maverick,
    { ...seeing(chat), quantization: 'fp8' },
  ],
  ['meta-llama/Llama-4-Scout-17B-16E-Instruct', scout, seeing(chat)],
];

const fireworks: readonly Row[] = [
  ['gpt-oss-120b', oss120, openWeights],
  ['gpt-oss-20b', oss20, openWeights],
  ['llama-v3p1-8b-instruct', llama31, text(formed)],
  ['llama4-maverick-instruct-basic', maverick, seeing(formed)],
  ['deepseek-v3p2', 'deepseek/deepseek-v3.2', text(formed)],
  ['deepseek-v4-flash', 'deepseek/deepseek-v4-flash', text(formed)],
  ['deepseek-v4-pro', 'deepseek/deepseek-v4-pro', text(formed)],
  ['qwen3-235b-a22b', 'qwen/qwen3-235b-a22b', text(formed)],
  ['kimi-k2p5', 'moonshotai/kimi-k2.5', text(formed)],
  ['kimi-k2p6', 'moonshotai/kimi-k2.6', text(formed)],
  ['kimi-k3', 'moonshotai/kimi-k3', text(formed)],
  ['glm-4p7', 'z-ai/glm-4.7', text(formed)],
  ['glm-5p1', 'z-ai/glm-5.1', text(formed)],
  ['glm-5p2', 'z-ai/glm-5.2', text(formed)],
  ['minimax-m2p7', 'minimax/minimax-m2.7', text(formed)],
  ['minimax-m3', 'minimax/minimax-m3', text(formed)],
];

const familyOf =
  (upstream?: Family['upstream']) =>
  ([name, id, facts]: Row): Family => ({
    names: name,
    id: () => id,
    ...(upstream && { upstream }),
    facts,
  });

/** Providers that serve models of others, by slug. */
export const hostFamilies: Readonly<Record<string, readonly Family[]>> = {
  groq: groq.map(familyOf()),
  together: together.map(familyOf()),
  fireworks: fireworks.map(familyOf((name) => `accounts/fireworks/models/${name}`)),
};
