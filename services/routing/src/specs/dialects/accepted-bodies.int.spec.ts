import { deepEqual, equal } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  errorOf,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

// The rest of the checklist: what a body may be, and what is wrong with one in another way than by its shape.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const body = (fields: object): object => ({ model: 'sim/echo', input: 'hi', ...fields });

test('404 for a body with a preset: there are none', async () => {
  for (const more of [
    { preset: 'fast' },
    { model: '@preset/fast' },
    { model: 'sim/echo@preset/fast' },
  ]) {
    const reply = await routing.call(body(more));
    equal(reply.status, 404);
    const { message, metadata } = await errorOf(reply);
    deepEqual([message, metadata['error_type']], ['there is no preset "fast"', 'not_found']);
  }
});

test('a body without a model gets the default of its workspace', async () => {
  routing.policies.defaults = { defaultTextModel: 'sim/messages' };
  const principal = { ...somebody, workspaceId: 'with a default' };
  for (const sent of [{ input: 'hi' }, { input: 'hi', model: null }, { input: 'hi', models: [] }]) {
    const reply = await routing.call(sent, { principal });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    equal((JSON.parse(text) as { model: string }).model, 'sim/messages');
  }
  routing.policies.defaults = {};
});

test('404 for a body that permits no provider of the model', async () => {
  const reply = await routing.call(body({ provider: { only: ['nobody'] } }));
  equal(reply.status, 404);
  equal((await errorOf(reply)).metadata['error_type'], 'not_found');
});

describe('accepted is a body', () => {
  test.each<[string, object]>([
    ['with more tool calls than there are ever made', { max_tool_calls: 31 }],
    [
      'with nulls wherever a field may be left out',
      {
        previous_response_id: null,
        store: null,
        background: null,
        metadata: null,
        tools: null,
        user: null,
        provider: null,
        plugins: null,
        text: null,
        reasoning: null,
      },
    ],
    ['that says it is not to be stored', { store: false, background: false }],
    ['with a provider that nobody knows', { provider: { ignore: ['nobody'], order: ['no'] } }],
    ['that wants no thoughts of a model that can do without', { reasoning: { effort: 'none' } }],
    ['with fields that nobody knows', { colour: 'red', nested: { a: [1] } }],
    [
      'with plugins that are switched off',
      {
        plugins: [
          { id: 'web', enabled: false },
          { id: 'context-compression', enabled: false },
        ],
        truncation: 'auto',
      },
    ],
    [
      'with every other option of the contract',
      {
        route: 'sort',
        service_tier: 'scale',
        n: 1,
        truncation: 'disabled',
        modalities: ['text'],
        include: [],
        image_config: { size: '1' },
        prompt_cache_options: { mode: 'explicit', ttl: '30m' },
        cache_control: { type: 'ephemeral' },
        reasoning: { context: 'auto', mode: 'standard' },
        text: { format: { type: 'text' }, verbosity: 'xhigh' },
        top_logprobs: 20,
        prompt: null,
        preset: null,
        conversation: null,
        stop_server_tools_when: null,
      },
    ],
    ['with metadata up to its bounds', { metadata: { ['k'.repeat(64)]: 'v'.repeat(512) } }],
  ])('%s', async (_, fields) => {
    const reply = await routing.call(body(fields));
    const response = JSON.parse(await textOf(reply)) as {
      max_tool_calls: number | null;
      store: boolean;
    };
    equal(reply.status, 200, JSON.stringify(response));
    if ('max_tool_calls' in fields) equal(response.max_tool_calls, 30);
    deepEqual(response.store, false);
  });
});
