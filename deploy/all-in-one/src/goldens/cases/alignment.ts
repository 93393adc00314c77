import type { Case, Dialect, Model } from '../testing/case.ts';
import { idOf } from '../testing/catalog.ts';
import type { WorldOptions } from '../testing/world.ts';
import { user } from './words.ts';

const plugin = { id: 'alignment', rules: ['Never say "banana"', 'Be kind.'] };
const headers = { 'x-service-metadata': 'enabled' };
const models = (dialect: Dialect): Readonly<Record<string, Model>> => ({
  m: { endpoints: [{ dialect }] },
});

const kept: Case = {
  name: 'alignment/an-answer-that-keeps-the-rules',
  headers,
  body: { model: '$m', input: 'apple', plugins: [plugin] },
  models: {
    ...models('openai-responses'),
    // It judges the answers of all cases.
    judge: { endpoints: [{ dialect: 'openai-chat' }] },
  },
};

/** Answers that are judged by the rules of their request. */
export const alignment: readonly Case[] = [
  kept,
  {
    name: 'alignment/an-answer-that-breaks-a-rule-twice',
    path: '/chat/completions',
    isWithheld: true,
    headers,
    body: { model: '$m', messages: [user('banana')], plugins: [plugin] },
    models: models('openai-chat'),
  },
  {
    name: 'alignment/an-answer-that-breaks-a-rule-and-leaves',
    path: '/messages',
    body: {
      model: '$m',
      messages: [user('banana')],
      max_tokens: 500,
      plugins: [{ ...plugin, mode: 'audit' }],
    },
    models: models('anthropic-messages'),
  },
  {
    name: 'alignment/an-answer-that-breaks-a-rule-after-a-tool',
    body: {
      model: '$m',
      input: 'agent: call service_datetime then say banana',
      tools: [{ type: 'service:datetime' }],
      plugins: [{ ...plugin, max_retries: 0 }],
    },
    models: models('google-gemini'),
  },
];

/** The account of the goldens is in the beta. */
export const alignmentWorld: WorldOptions = {
  env: { SLUICE_ALIGNMENT_MODEL: idOf(kept, 'judge') },
  prepare: ({ accounts }) => void accounts.aligned.add('org_1'),
};
