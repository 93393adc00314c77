import type { InferenceRequest } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { prepareCall } from '../prepare-request.ts';
import { anthropicMessagesTranslator } from './anthropic-messages.ts';
import { claudeAbilities } from './claude-version.ts';

describe('a model of Anthropic', () => {
  test.each([
    ['claude-3-5-sonnet-20241022', false, true, false],
    ['claude-3-7-sonnet-latest', false, true, false],
    ['claude-opus-4-20250514', false, true, false],
    ['claude-opus-4-1-20250805', false, true, false],
    ['claude-haiku-4-5-20251001', false, true, true],
    ['claude-sonnet-4.5', false, true, true],
    ['claude-opus-4-6', true, true, true],
    ['claude-opus-4-7', true, false, true],
    ['claude-opus-4-8', true, false, true],
    ['claude-sonnet-5', true, false, true],
    ['claude-opus-5-20261001', true, false, true],
    ['anthropic.claude-opus-4-7', true, false, true],
    ['claude-mythos-preview', true, false, true],
    ['claude', false, true, false],
    ['echo', false, true, false],
  ])(
    '%s thinks adaptively: %s, takes a temperature: %s, takes strict tools: %s',
    (name, thinksAdaptively, takesSampling, takesStrictTools) => {
      expect(claudeAbilities(name)).toMatchObject({
        thinksAdaptively,
        takesSampling,
        takesStrictTools,
      });
    },
  );
});

const body = (upstreamModel: string, fields: Partial<InferenceRequest>): unknown => {
  const request: InferenceRequest = {
    items: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'a' }] }],
    tools: [],
    toolChoice: { type: 'auto' },
    parallelToolCalls: undefined,
    maxOutputTokens: 10_000,
    temperature: undefined,
    topP: undefined,
    stream: false,
    ...fields,
  };
  const endpoint = {
    provider: 'p',
    dialect: 'anthropic-messages',
    baseUrl: 'http://a',
    apiKey: undefined,
    upstreamModel,
  } as const;
  return JSON.parse(
    JSON.stringify(prepareCall(anthropicMessagesTranslator, endpoint, request).body),
  );
};

test('a model of before gets no effort', () => {
  expect(body('claude-opus-4-5', { options: { verbosity: 'low' } })).not.toHaveProperty(
    'output_config',
  );
});

describe('a model that thinks adaptively', () => {
  test.each<[object, string]>([
    [{ effort: 'minimal' }, 'low'],
    [{ effort: 'low' }, 'low'],
    [{ effort: 'medium' }, 'medium'],
    [{ effort: 'high' }, 'high'],
    [{ effort: 'xhigh' }, 'xhigh'],
    [{ effort: 'max' }, 'max'],
    [{ isEnabled: true }, 'medium'],
    [{ tokensMax: 1_000 }, 'low'],
    [{ tokensMax: 5_200 }, 'medium'],
    [{ tokensMax: 8_000 }, 'high'],
    [{ tokensMax: 9_900 }, 'xhigh'],
  ])('gets %o as the effort %s', (reasoning, effort) => {
    expect(body('claude-opus-4-7', { options: { reasoning } })).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort },
    });
  });

  test('gets no effort that it lacks, and keeps the answer format', () => {
    const format = {
      type: 'json-schema',
      name: 'a',
      description: undefined,
      schema: { type: 'object' },
      strict: true,
    } as const;
    const options = { reasoning: { effort: 'xhigh' }, format } as const;
    expect(body('claude-opus-4-6', { options })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max', format: { type: 'json_schema' } },
    });
  });

  test.each([
    ['claude-opus-4-7', 'low', 'low'],
    ['claude-opus-4-7', 'xhigh', 'xhigh'],
    ['claude-opus-4-6', 'xhigh', 'max'],
  ] as const)(
    '%s without thoughts writes as much as the verbosity %s says',
    (model, verbosity, effort) => {
      const sent = body(model, { options: { verbosity } });
      expect(sent).toMatchObject({ output_config: { effort } });
      expect(sent).not.toHaveProperty('thinking');
    },
  );

  test('has the effort of its own if the client leaves that to the model', () => {
    const options = { reasoning: { isEnabled: true, isAdaptive: true } };
    const sent = body('claude-opus-4-7', { options });
    expect(sent).toMatchObject({ thinking: { type: 'adaptive' } });
    expect(sent).not.toHaveProperty('output_config');
  });

  test('leaves out the texts of thoughts that the client does not show', () => {
    const options = { reasoning: { isEnabled: true, isHidden: true } };
    const thinking = { type: 'adaptive', display: 'omitted' };
    expect(body('claude-opus-4-7', { options })).toMatchObject({ thinking });
  });

  test('has the effort that the client names beside a budget', () => {
    const options = { reasoning: { effort: 'low', tokensMax: 9_000 } } as const;
    const sent = body('claude-opus-4-7', { options });
    expect(sent).toMatchObject({ output_config: { effort: 'low' } });
  });

  test('spends the effort of its thoughts if the request has a verbosity too', () => {
    const options = { verbosity: 'low', reasoning: { effort: 'high' } } as const;
    expect(body('claude-opus-4-7', { options })).toMatchObject({
      output_config: { effort: 'high' },
    });
  });

  test('gets no thinking if the request has none or forces a tool', () => {
    expect(
      body('claude-opus-4-7', { options: { reasoning: { effort: 'none' } } }),
    ).not.toHaveProperty('thinking');
    expect(body('claude-opus-4-7', {})).not.toHaveProperty('thinking');
    const forced = {
      options: { reasoning: { effort: 'high' } },
      toolChoice: { type: 'required' },
    } as const;
    expect(body('claude-opus-4-7', forced)).not.toHaveProperty('thinking');
  });

  test('gets no temperature if it accepts none', () => {
    const sampled = { temperature: 0.5, options: { topK: 3 } };
    expect(body('claude-opus-4-7', sampled)).not.toHaveProperty('temperature');
    expect(body('claude-opus-4-7', sampled)).not.toHaveProperty('top_k');
    expect(body('claude-opus-4-5', sampled)).toMatchObject({ temperature: 0.5, top_k: 3 });
  });
});
