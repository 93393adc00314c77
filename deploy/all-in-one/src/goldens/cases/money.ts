import { type Case, dialects } from '../testing/case.ts';
import type { WorldOptions } from '../testing/world.ts';
import { one, table } from './words.ts';

const [dialect] = dialects;
const body = { input: 'hello', max_output_tokens: 1_000 };
const models = one(dialect);
const headers = { 'x-service-metadata': 'enabled' };
const openEnded = { input: 'hello' };
const dollar = 1_000_000_000n;

const free = {
  m: { endpoints: [{ dialect, facts: { pricing: { prompt: '0', completion: '0' } } }] },
} as const;
const owned = (provider: string, providerFacts = {}) =>
  ({ m: { endpoints: [{ dialect, provider, providerFacts }] } }) as const;

/** Each world in which something is missing, with who asks there. */
export const money: readonly (readonly [string, readonly Case[], WorldOptions])[] = [
  [
    'a key with a limit',
    table('caps', {
      'limit of the key': { body, models, key: { limitNanoUsd: 1n }, headers },
      'limit of a day': { body, models, key: { limitNanoUsd: 1n, limitReset: 'daily' } },
      'limit below the whole answer': {
        body: openEnded,
        models,
        key: { limitNanoUsd: 2_000_000n },
      },
      'guardrail of a day': { body, models, guardrail: { limitNanoUsd: 1n, windowKind: 'daily' } },
      'guardrail of a month': {
        body,
        models,
        guardrail: { limitNanoUsd: dollar / 1_000n, windowKind: 'monthly' },
      },
    }),
    {},
  ],
  [
    'no credits',
    table('credits', {
      none: { body, models, headers },
      'none for a free model': { body, models: free },
    }),
    { creditsNanoUsd: 0n },
  ],
  [
    'few credits',
    table('credits', { few: { body: openEnded, models } }),
    { creditsNanoUsd: 3_000_000n },
  ],
  [
    'a budget of the workspace',
    table('caps', { 'budget of the workspace': { body, models } }),
    { prepare: ({ policies }) => void policies.budgets.set('monthly', 1n) },
  ],
  [
    'a workspace that is gone',
    table('away', { 'workspace is gone': { body, models } }),
    { prepare: ({ policies }) => void (policies.isWorkspaceAlive = false) },
  ],
  [
    'defaults of the workspace',
    table('selection', {
      'default model': { body: { ...body, model: undefined }, models },
    }),
    {
      prepare: ({ policies }) =>
        void (policies.defaults = {
          defaultTextModel: 'golden/selection/default-model/m',
          defaultProviderSort: 'price',
        }),
    },
  ],
  [
    'no ledger',
    table('away', { 'ledger is away': { body, models, headers } }),
    { prepare: ({ ledger }) => void (ledger.isUp = false) },
  ],
  [
    'no policies',
    table('away', { 'policies are away': { body, models } }),
    { prepare: ({ policies }) => void (policies.isUp = false) },
  ],
  [
    'no credentials',
    table('away', { 'credentials are away': { body, models } }),
    { prepare: ({ credentials }) => void (credentials.isUp = false) },
  ],
  [
    'own credentials',
    table('own-credentials', {
      free: { body, models: owned('openai'), headers },
      'refused then the shared one': { body, models: owned('mistral'), headers },
      'of the account alone': { body, models: owned('groq', { byok_only: true }), headers },
      'none of the account': { body, models: owned('together', { byok_only: true }), headers },
      unreadable: { body, models: owned('cohere'), headers },
    }),
    {
      prepare: ({ credentials: { kept } }) => {
        kept.set('c1', { provider: 'openai', secret: 'own-key' });
        kept.set('c2', { provider: 'mistral', secret: 'own-sim-error-401' });
        kept.set('c3', { provider: 'groq', secret: 'own-key' });
        kept.set('c4', { provider: 'cohere', secret: 'own-key', isUnreadable: true });
      },
    },
  ],
  [
    'own credentials with a fee',
    table('own-credentials', { 'with a fee': { body, models: owned('openai'), headers } }),
    {
      env: { SLUICE_BYOK_ALLOWANCE_USD: '0' },
      prepare: ({ credentials: { kept } }) =>
        void kept.set('c1', { provider: 'openai', secret: 'own-key' }),
    },
  ],
];
