import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isChatBody } from '../chat-completions/body.ts';
import type { JsonObject } from '../fields.ts';
import { isMessagesBody } from '../messages/body.ts';
import { isResponsesBody } from '../responses/body.ts';
import {
  mergePreset,
  type PresetContent,
  type PresetDoor,
  type PresetFormat,
  presetCharactersMax,
  presetNames,
  readPresetBody,
} from './index.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const neutral = {
  model: 'a/b',
  models: ['a/c'],
  provider: { order: ['openai'] },
  plugins: [{ id: 'moderation' }],
  temperature: 0.5,
  top_p: 0.9,
  max_output_tokens: 100,
  reasoning: { effort: 'low' },
  text: { format: { type: 'json_schema', name: 'answer', schema } },
  tools: [
    { type: 'function', name: 'get_weather', description: 'Weather', parameters: schema },
    { type: 'service:web_search', parameters: { max_results: 3 } },
  ],
  tool_choice: { type: 'function', name: 'get_weather' },
};

const bodies: Readonly<Record<PresetFormat, JsonObject>> = {
  responses: { ...neutral, instructions: 'Be brief.', input: 'ignored', stream: true },
  'chat-completions': {
    ...neutral,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'ignored' }],
    max_output_tokens: undefined,
    max_tokens: 100,
    text: undefined,
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    tools: [
      {
        type: 'function',
        function: { name: 'get_weather', description: 'Weather', parameters: schema },
      },
      neutral.tools[1],
    ],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
  },
  messages: {
    ...neutral,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: 'ignored',
    models: undefined,
    fallbacks: [{ model: 'a/c' }],
    max_output_tokens: undefined,
    max_tokens: 100,
    reasoning: undefined,
    text: undefined,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low', format: { type: 'json_schema', schema } },
    tools: [
      { name: 'get_weather', description: 'Weather', input_schema: schema },
      neutral.tools[1],
    ],
    tool_choice: { type: 'tool', name: 'get_weather' },
  },
};
const plain = (body: unknown): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject;
const formats = Object.keys(bodies) as PresetFormat[];

function contentOf(format: PresetFormat, body: JsonObject): PresetContent {
  const read = readPresetBody(format, plain(body));
  ok(!('problems' in read), JSON.stringify(read));
  return read;
}

describe('a body makes a preset', () => {
  test.each(formats)('in the same words, whatever its format: %s', (format) => {
    const { config, systemPrompt } = contentOf(format, bodies[format]);
    equal(systemPrompt, 'Be brief.');
    // A thinking mode of Anthropic says both.
    const reasoning = { effort: 'low', ...(format === 'messages' && { enabled: true }) };
    deepEqual(config, { ...neutral, reasoning });
  });

  test('with the fields of the cache', () => {
    const cache = { cache_enabled: true, cache_ttl_seconds: 60 };
    for (const format of formats) deepEqual(contentOf(format, cache).config, cache);
  });

  test.each<[PresetFormat, JsonObject, JsonObject]>([
    [
      'chat-completions',
      { functions: [{ name: 'f' }] },
      { tools: [{ type: 'function', name: 'f' }] },
    ],
    [
      'chat-completions',
      { function_call: { name: 'f' } },
      { tool_choice: { type: 'function', name: 'f' } },
    ],
    ['chat-completions', { reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }],
    ['chat-completions', { stop: 'END', seed: 7 }, { stop: 'END', seed: 7 }],
    [
      'chat-completions',
      { response_format: { type: 'json_object' } },
      { text: { format: { type: 'json_object' } } },
    ],
    ['messages', { top_p: -1, top_k: -1 }, {}],
    ['messages', { thinking: { type: 'disabled' } }, { reasoning: { enabled: false } }],
    [
      'messages',
      { thinking: { type: 'enabled', budget_tokens: 2048 } },
      { reasoning: { max_tokens: 2048 } },
    ],
    ['messages', { output_config: { effort: 'high' } }, { text: { verbosity: 'high' } }],
    ['messages', { speed: 'fast' }, { service_tier: 'fast' }],
    ['messages', { service_tier: 'standard_only' }, { service_tier: 'default' }],
    [
      'messages',
      { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      { tool_choice: 'required', parallel_tool_calls: false },
    ],
  ])('of %s: %j is %j', (format, body, config) => {
    deepEqual(contentOf(format, body).config, config);
  });

  test.each<[PresetFormat, JsonObject, string]>([
    ['responses', { temprature: 1 }, 'temprature'],
    ['responses', { text: { verbose: 'high' } }, 'text.verbose'],
    ['responses', { temperature: 3 }, 'temperature'],
    ['responses', { preset: 'other' }, 'preset'],
    ['responses', { model: '@preset/other' }, 'model'],
    ['chat-completions', { models: ['a/b', 'a/b@preset/other'] }, 'models[1]'],
    ['responses', { tools: [{ type: 'function' }] }, 'tools[0].name'],
    [
      'responses',
      { tools: [{ type: 'service:web_search', parameters: { max_results: -1 } }] },
      'tools[0].parameters.max_results',
    ],
    [
      'messages',
      { tools: [{ type: 'service:web_search', parameters: { max_results: -1 } }] },
      'tools[0].parameters.max_results',
    ],
    ['messages', { tools: [{ name: 'f' }] }, 'tools[0].input_schema'],
    ['chat-completions', { tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
    ['messages', { cache_enabled: 'yes' }, 'cache_enabled'],
    ['messages', { cache_ttl_seconds: 86_401 }, 'cache_ttl_seconds'],
    ['messages', { cache_ttl_seconds: 0 }, 'cache_ttl_seconds'],
    ['responses', { instructions: 'x'.repeat(presetCharactersMax + 1) }, ''],
  ])('of %s is refused by its place: %j', (format, body, path) => {
    const read = readPresetBody(format, body);
    ok('problems' in read, JSON.stringify(read));
    equal(read.problems[0]?.path, path);
  });
});

describe('a preset in a request', () => {
  const asks: Readonly<Record<PresetFormat, JsonObject>> = {
    responses: { preset: 'p', input: 'hi' },
    'chat-completions': { preset: 'p', messages: [{ role: 'user', content: 'hi' }] },
    messages: { preset: 'p', max_tokens: 7, messages: [{ role: 'user', content: 'hi' }] },
  };
  const isBody = {
    responses: isResponsesBody,
    'chat-completions': isChatBody,
    messages: isMessagesBody,
  };
  const doors = formats.flatMap((made) => formats.map((door) => ({ made, door })));

  test.each(doors)('that was made of $made is valid at $door, and says the same', (of) => {
    const content = contentOf(of.made, bodies[of.made]);
    const { body } = mergePreset(of.door, asks[of.door], content);
    const isValid: boolean = isBody[of.door](body);
    ok(isValid, JSON.stringify(body));
    equal(body['preset'], undefined);
    equal(body['model'], 'a/b');
    // Made again of the merged request, the preset is the same.
    const again = contentOf(of.door, body).config;
    const limit = of.door === 'messages' ? 7 : 100;
    const isThinking = of.made === 'messages' || of.door === 'messages';
    const reasoning = { effort: 'low', ...(isThinking && { enabled: true }) };
    deepEqual(again, { ...neutral, max_output_tokens: limit, reasoning });
    if (of.door !== 'chat-completions') equal(body['system'] ?? body['instructions'], 'Be brief.');
  });

  const merge = (door: PresetDoor, body: JsonObject, config: JsonObject) =>
    mergePreset(door, body, { config, systemPrompt: 'Be brief.' });

  test.each<[string, JsonObject, JsonObject]>([
    ['a field of the request wins', { temperature: 1 }, { temperature: 1 }],
    ['null is as good as absent', { temperature: null }, { temperature: 0 }],
    ['the instructions of the request win', { instructions: 'x' }, { instructions: 'x' }],
    ['a model beside the preset wins', { model: 'a/x@preset/p' }, { model: 'a/x' }],
    ['a preset in the place of a model has its model', { model: '@preset/p' }, { model: 'a/b' }],
    [
      'objects are not merged',
      { reasoning: { summary: 'auto' } },
      { reasoning: { summary: 'auto' } },
    ],
  ])('%s', (_name, body, more) => {
    const config = { model: 'a/b', temperature: 0, reasoning: { effort: 'low' } };
    const merged = merge('responses', body, config).body;
    deepEqual(merged, { ...config, instructions: 'Be brief.', ...more });
  });

  test('short forms of a request win over the long ones of a preset', () => {
    const config = { max_output_tokens: 9, reasoning: { effort: 'low' }, models: ['a/c'] };
    const chat = { max_tokens: 5, reasoning_effort: 'high' };
    deepEqual(merge('chat-completions', chat, config).body, { ...chat, models: ['a/c'] });
    const fallbacks = [{ model: 'a/d' }];
    const message = merge('messages', { max_tokens: 5, fallbacks }, { models: ['a/c'] }).body;
    deepEqual(message, { max_tokens: 5, fallbacks, system: 'Be brief.' });
  });

  test('tools are joined, and keep the places that the request gave them', () => {
    const tool = (name: string, description: string) => ({ type: 'function', name, description });
    const advisor = (name: string, model: string) => {
      return { type: 'service:advisor', parameters: { name, model } };
    };
    const search = { type: 'service:web_search', parameters: { max_results: 1 } };
    const config = { tools: [tool('f', 'preset'), advisor('a', 'x'), search] };
    const ofRequest = [
      tool('g', 'request'),
      { type: 'service:web_search' },
      advisor('b', 'y'),
      tool('f', 'request'),
      advisor('a', 'z'),
    ];
    const { body, toolPlaces } = merge('responses', { tools: ofRequest }, config);
    deepEqual(body['tools'], [
      tool('f', 'request'),
      advisor('a', 'z'),
      { type: 'service:web_search' },
      tool('g', 'request'),
      advisor('b', 'y'),
    ]);
    deepEqual(toolPlaces, [3, 4, 1, 0, 2]);
    deepEqual(merge('responses', {}, config).toolPlaces, [undefined, undefined, undefined]);
    deepEqual(merge('responses', { tools: ofRequest }, {}).toolPlaces, [0, 1, 2, 3, 4]);
    const message = merge('messages', { tools: [{ name: 'f', input_schema: {} }] }, config).body;
    deepEqual((message['tools'] as readonly unknown[]).slice(0, 1), [
      { name: 'f', input_schema: {} },
    ]);
  });

  test('gives a request that measures its inputs the model and the provider alone', () => {
    const config = { model: 'a/b', models: ['a/c'], temperature: 0, provider: { zdr: true } };
    deepEqual(merge('embeddings', { input: 'hi' }, config).body, {
      input: 'hi',
      model: 'a/b',
      provider: { zdr: true },
    });
  });

  test('is named at these places', () => {
    const names = presetNames({
      preset: 'a',
      model: 'x/y@preset/b',
      models: ['x/y', '@preset/c'],
      fallbacks: [{ model: 'x/z@preset/d' }],
    });
    deepEqual(
      names.map(({ path, slug }) => `${path} ${slug}`),
      ['preset a', 'model b', 'models[1] c', 'fallbacks[0].model d'],
    );
    deepEqual(presetNames({ preset: 7, model: 7, models: 'x', fallbacks: [7] }), []);
  });
});
