import type { Pricing } from './catalog.ts';

/** A model of OpenAI whose list price we are sure of. Others come from the catalogue file. */
export interface KnownModel {
  readonly name: string;
  readonly title: string;
  /** Unix seconds. */
  readonly created: number;
  readonly contextLength: number;
  readonly outputTokensMax: number;
  readonly isReasoning: boolean;
  readonly pricing: Pricing;
}

const perMillion = (prompt: string, cached: string, completion: string): Pricing => ({
  prompt: perToken(prompt),
  completion: perToken(completion),
  input_cache_read: perToken(cached),
});

const gpt41 = { contextLength: 1_047_576, outputTokensMax: 32_768, isReasoning: false };
const gpt4o = { contextLength: 128_000, outputTokensMax: 16_384, isReasoning: false };
const gpt5 = { contextLength: 400_000, outputTokensMax: 128_000, isReasoning: true };
const [april2025, may2024, july2024, august2025] = [
  1_744_588_800, 1_715_558_400, 1_721_260_800, 1_754_524_800,
];

/** USD per million tokens: input, cached input, output. */
export const openAiModels: readonly KnownModel[] = [
  {
    name: 'gpt-5',
    title: 'GPT-5',
    created: august2025,
    ...gpt5,
    pricing: perMillion('1.25', '0.125', '10'),
  },
  {
    name: 'gpt-5-mini',
    title: 'GPT-5 mini',
    created: august2025,
    ...gpt5,
    pricing: perMillion('0.25', '0.025', '2'),
  },
  {
    name: 'gpt-5-nano',
    title: 'GPT-5 nano',
    created: august2025,
    ...gpt5,
    pricing: perMillion('0.05', '0.005', '0.4'),
  },
  {
    name: 'gpt-4.1',
    title: 'GPT-4.1',
    created: april2025,
    ...gpt41,
    pricing: perMillion('2', '0.5', '8'),
  },
  {
    name: 'gpt-4.1-mini',
    title: 'GPT-4.1 mini',
    created: april2025,
    ...gpt41,
    pricing: perMillion('0.4', '0.1', '1.6'),
  },
  {
    name: 'gpt-4.1-nano',
    title: 'GPT-4.1 nano',
    created: april2025,
    ...gpt41,
    pricing: perMillion('0.1', '0.025', '0.4'),
  },
  {
    name: 'gpt-4o',
    title: 'GPT-4o',
    created: may2024,
    ...gpt4o,
    pricing: perMillion('2.5', '1.25', '10'),
  },
  {
    name: 'gpt-4o-mini',
    title: 'GPT-4o mini',
    created: july2024,
    ...gpt4o,
    pricing: perMillion('0.15', '0.075', '0.6'),
  },
];

/** "1.25" per million → "0.00000125" per token: moves the point, computes nothing. */
export function perToken(perMillionTokens: string): string {
  const [whole = '0', fraction = ''] = perMillionTokens.split('.');
  const digits = whole.padStart(7, '0') + fraction;
  const point = digits.length - fraction.length - 6;
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const right = digits.slice(point).replace(/0+$/, '');
  return right === '' ? left : `${left}.${right}`;
}
