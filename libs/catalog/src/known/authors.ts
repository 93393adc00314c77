import { claudeAbilities } from '@sluice/providers';
import type { ReasoningAbility } from '../catalog.ts';
import {
  alwaysThinking,
  type Family,
  type FamilyFacts,
  formats,
  of,
  type Parameters,
  sampling,
  thinking,
  tools,
} from './family.ts';

const penalties: Parameters = ['frequency_penalty', 'presence_penalty'];
const pictures = ['text', 'image', 'file'] as const;
const media = ['text', 'image', 'file', 'audio', 'video'] as const;

const gptThinker: Parameters = ['max_tokens', ...tools, ...formats, 'reasoning', 'verbosity'];
const gpt5Reasoning: readonly (readonly [names: RegExp, ability: ReasoningAbility])[] = [
  [/^gpt-5(-mini|-nano)?$/, alwaysThinking(['high', 'medium', 'low', 'minimal'], 'medium')],
  [/^gpt-5-pro$/, alwaysThinking(['high'], 'high')],
  [/^gpt-5\.1$/, thinking(['high', 'medium', 'low', 'none'], 'none')],
  [/^gpt-5\.2$/, thinking(['xhigh', 'high', 'medium', 'low', 'none'], 'none')],
  [/^gpt-5\.2-pro$/, alwaysThinking(['xhigh', 'high', 'medium'], 'medium')],
];

const earlyThinker: FamilyFacts = {
  parameters: ['max_tokens', ...tools, ...formats, 'reasoning'],
  outputTokensMax: 100_000,
  isReasoning: true,
  reasoning: alwaysThinking(['high', 'medium', 'low'], 'medium'),
};

const openAi: readonly Family[] = [
  {
    names: /^gpt-4\.1(-mini|-nano)?$/,
    id: of('openai'),
    facts: {
      parameters: ['max_tokens', ...sampling, 'top_logprobs', ...tools, ...formats],
      inputModalities: pictures,
      outputTokensMax: 32_768,
      released: {
        'gpt-4.1': '2025-04-14',
        'gpt-4.1-mini': '2025-04-14',
        'gpt-4.1-nano': '2025-04-14',
      },
    },
  },
  {
    names: /^gpt-4o(-mini)?$/,
    id: of('openai'),
    facts: {
      parameters: ['max_tokens', ...sampling, 'top_logprobs', ...tools, ...formats],
      inputModalities: pictures,
      outputTokensMax: 16_384,
      released: { 'gpt-4o': '2024-05-13', 'gpt-4o-mini': '2024-07-18' },
    },
  },
  {
    // Later models get the requested effort unchanged, since their supported efforts are unknown.
    names: /^gpt-(5(\.[124-9])?|[6-9](\.\d)?)(-(mini|nano|pro|astra|sol|terra|luna))?$/,
    id: of('openai'),
    facts: {
      parameters: gptThinker,
      inputModalities: pictures,
      outputTokensMax: 128_000,
      isReasoning: true,
      reasoning: (name) => gpt5Reasoning.find(([names]) => names.test(name))?.[1],
      released: {
        'gpt-5': '2025-08-07',
        'gpt-5-mini': '2025-08-07',
        'gpt-5-nano': '2025-08-07',
        'gpt-5.1': '2025-11-13',
        'gpt-5.2': '2025-12-11',
      },
    },
  },
  {
    names: /^(o1|o3|o4-mini)(-pro)?$/,
    id: of('openai'),
    facts: {
      ...earlyThinker,
      inputModalities: pictures,
      released: { o3: '2025-04-16', 'o4-mini': '2025-04-16' },
    },
  },
  {
    names: 'o3-mini',
    id: of('openai'),
    facts: { ...earlyThinker, released: { 'o3-mini': '2025-01-31' } },
  },
];

const claude = /^claude-(haiku|sonnet|opus|fable)-\d{1,2}(-\d{1,2})?$/;
const claudeThinking = (name: string): ReasoningAbility => ({
  isMandatory: false,
  efforts: undefined,
  defaultEffort: undefined,
  isDefaultOn: false,
  takesBudget: !claudeAbilities(name).thinksAdaptively,
});
const claudeParameters: Parameters = ['max_tokens', 'stop', ...tools, ...formats, 'reasoning'];
const claudeWithEffort: Parameters = [...claudeParameters, 'verbosity'];
const claudeSampled: Parameters = [...claudeParameters, ...sampling, 'top_k'];
const claudeFacts = {
  inputModalities: pictures,
  isReasoning: true,
  reasoning: claudeThinking,
  released: {
    'claude-opus-4-0': '2025-05-22',
    'claude-sonnet-4-0': '2025-05-22',
    'claude-opus-4-1': '2025-08-05',
    'claude-sonnet-4-5': '2025-09-29',
    'claude-haiku-4-5': '2025-10-15',
    'claude-opus-4-5': '2025-11-24',
  },
};

const anthropic: readonly Family[] = [
  {
    names: /^claude-(opus|sonnet)-4-0$/,
    id: of('anthropic'),
    facts: {
      ...claudeFacts,
      outputTokensMax: 32_000,
      // The prompt describes the output format in words.
      parameters: ['max_tokens', 'stop', ...sampling, 'top_k', ...tools, 'reasoning'],
    },
  },
  {
    names: 'claude-opus-4-1',
    id: of('anthropic'),
    facts: { ...claudeFacts, outputTokensMax: 32_000, parameters: claudeSampled },
  },
  {
    names: /^claude-(haiku|sonnet|opus)-4-5$/,
    id: of('anthropic'),
    facts: { ...claudeFacts, outputTokensMax: 64_000, parameters: claudeSampled },
  },
  {
    names: /^claude-(sonnet|opus)-4-6$/,
    id: of('anthropic'),
    facts: {
      ...claudeFacts,
      outputTokensMax: 64_000,
      parameters: [...claudeSampled, 'verbosity'],
    },
  },
  { names: claude, id: of('anthropic'), facts: { ...claudeFacts, parameters: claudeWithEffort } },
];

/** It thinks with a budget; only the largest cannot do without. */
const geminiThinking = (name: string): ReasoningAbility => ({
  isMandatory: name.includes('-pro'),
  efforts: undefined,
  defaultEffort: undefined,
  isDefaultOn: !name.includes('-lite'),
  takesBudget: true,
});

const google: readonly Family[] = [
  {
    names: /^gemini-(2\.5|[3-9](\.\d)?)-(pro|flash|flash-lite)(-preview)?$/,
    id: of('google'),
    facts: {
      parameters: [
        'max_tokens',
        'stop',
        'seed',
        ...sampling,
        'top_k',
        ...tools,
        ...formats,
        'reasoning',
      ],
      inputModalities: media,
      contextLength: 1_048_576,
      outputTokensMax: 65_536,
      isReasoning: true,
      reasoning: geminiThinking,
      released: {
        'gemini-2.5-pro': '2025-06-17',
        'gemini-2.5-flash': '2025-06-17',
        'gemini-2.5-flash-lite': '2025-07-22',
      },
    },
  },
];

const mistral: readonly Family[] = [
  {
    names: /^(mistral-(large|medium|small)|ministral-\d{1,2}b|codestral|devstral)-(\d{4}|latest)$/,
    id: of('mistralai'),
    facts: { parameters: ['max_tokens', ...sampling, ...penalties, ...tools, ...formats] },
  },
];

const deepSeek: readonly Family[] = [
  {
    names: /^deepseek-(chat|v\d-flash|v\d-pro)$/,
    id: of('deepseek'),
    facts: {
      parameters: ['max_tokens', ...sampling, ...penalties, ...tools, 'response_format'],
    },
  },
  {
    names: /^deepseek-reasoner$/,
    id: of('deepseek'),
    facts: {
      parameters: ['max_tokens', ...tools, 'response_format'],
      isReasoning: true,
      reasoning: alwaysThinking(undefined),
    },
  },
];

/** It thinks as hard as it wants: an effort is refused. */
const grokThinker: FamilyFacts = {
  parameters: ['max_tokens', ...sampling, ...tools, ...formats],
  isReasoning: true,
};

const xAi: readonly Family[] = [
  {
    names: /^grok-[\d-]+-fast-non-reasoning$/,
    id: of('x-ai'),
    facts: { parameters: ['max_tokens', ...sampling, ...tools, ...formats] },
  },
  {
    names: /^grok-3-mini(-fast)?$/,
    id: of('x-ai'),
    facts: {
      parameters: ['max_tokens', ...sampling, ...tools, ...formats, 'reasoning'],
      isReasoning: true,
      reasoning: alwaysThinking(['high', 'low'], 'low'),
    },
  },
  {
    names: /^grok-(4-0709|[\d-]+-fast-reasoning|code-fast-\d)$/,
    id: of('x-ai'),
    facts: { ...grokThinker, reasoning: alwaysThinking(undefined) },
  },
  { names: /^grok-[4-9]\.\d{1,2}$/, id: of('x-ai'), facts: grokThinker },
  {
    names: /^grok-3(-fast)?$/,
    id: of('x-ai'),
    facts: { parameters: ['max_tokens', ...sampling, ...penalties, ...tools, ...formats] },
  },
];

const commandNames: Readonly<Record<string, string>> = {
  'command-a': 'command-a-03-2025',
  'command-r': 'command-r-08-2024',
  'command-r-plus': 'command-r-plus-08-2024',
  'command-r7b': 'command-r7b-12-2024',
};

const cohere: readonly Family[] = [
  {
    names: /^command-(a|r|r-plus|r7b)$/,
    id: of('cohere'),
    upstream: (name) => commandNames[name] ?? name,
    facts: {
      parameters: ['max_tokens', ...sampling, ...penalties, 'tools', 'response_format'],
      contextLength: 128_000,
    },
  },
];

/** Providers that sell models of their own, by slug. The first family that fits a model is its family. */
export const authorFamilies: Readonly<Record<string, readonly Family[]>> = {
  openai: openAi,
  anthropic,
  'google-ai-studio': google,
  mistral,
  deepseek: deepSeek,
  xai: xAi,
  cohere,
};
