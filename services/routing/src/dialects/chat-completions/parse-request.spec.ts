import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Body, bodyChecks } from '../testing/body-checks.ts';
import { parseChatRequest } from './parse-request.ts';

const user = { role: 'user', content: 'hello' };
const base: Body = { model: 'sim/chat', messages: [user] };
const { accepted, issues } = bodyChecks(base, parseChatRequest);

const call = (id: string, name = 'look', text = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});
const look = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };

describe('the messages of a chat completion', () => {
  test('become items in their order: thoughts, text, calls, answers', () => {
    const { inference } = accepted({
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'developer', content: [{ type: 'text', text: 'really' }] },
        user,
        {
          role: 'assistant',
          content: 'I look',
          reasoning: 'hm',
          tool_calls: [call('a'), call('b', 'look', '{"x":1}')],
        },
        { role: 'tool', tool_call_id: 'a', content: 'one' },
        { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'two' }] },
      ],
      tools: [look],
    });
    const text = (value: string) => [{ type: 'text', text: value }];
    deepEqual(inference.items, [
      { type: 'message', role: 'system', content: text('be brief') },
      { type: 'message', role: 'developer', content: text('really') },
      { type: 'message', role: 'user', content: text('hello') },
      {
        type: 'reasoning',
        id: 'rs_3',
        summary: [],
        content: ['hm'],
        encrypted: undefined,
        signature: undefined,
        format: undefined,
      },
      { type: 'message', role: 'assistant', content: text('I look') },
      { type: 'function-call', callId: 'a', name: 'look', arguments: '{}' },
      { type: 'function-call', callId: 'b', name: 'look', arguments: '{"x":1}' },
      { type: 'function-call-output', callId: 'a', output: 'one' },
      { type: 'function-call-output', callId: 'b', output: text('two') },
    ]);
  });

  test('carry pictures, files, sound and film, and where the prompt is worth being cached', () => {
    const url = 'https://a.example/b.png';
    const { inference } = accepted({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see', cache_control: { type: 'ephemeral', ttl: '1h' } },
            { type: 'image_url', image_url: { url, detail: 'low' } },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
            { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
            { type: 'video_url', video_url: { url } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,aGk=' } },
            { type: 'file', file: { file_id: 'file_1', filename: 'a.pdf' } },
          ],
        },
      ],
    });
    const [item] = inference.items;
    const png = { type: 'data', mediaType: 'image/png', base64: 'aGk=' };
    const pdf = { type: 'data', mediaType: 'application/pdf', base64: 'aGk=' };
    deepEqual(item?.type === 'message' && item.content, [
      { type: 'text', text: 'see', cache: { ttl: '1h' } },
      { type: 'image', source: { type: 'url', url }, detail: 'low' },
      { type: 'image', source: png, detail: 'auto' },
      { type: 'audio', data: 'aGk=', format: 'wav' },
      { type: 'video', source: { type: 'url', url } },
      { type: 'file', source: pdf, filename: undefined },
      { type: 'file', source: { type: 'id', id: 'file_1' }, filename: 'a.pdf' },
    ]);
  });

  test('give thoughts back to their maker: details of one index are one thought', () => {
    const { inference } = accepted({
      messages: [
        user,
        {
          role: 'assistant',
          content: null,
          reasoning: 'not read: the details say it',
          reasoning_details: [
            { type: 'reasoning.text', text: 'a', index: 0 },
            { type: 'reasoning.text', signature: 's', format: 'anthropic-claude-v1', index: 0 },
            { type: 'reasoning.summary', summary: 'b', index: 1 },
            { type: 'reasoning.encrypted', data: 'x', format: 'openai-responses-v1', index: 1 },
            { type: 'reasoning.server_tool_call', index: 2 },
          ],
          tool_calls: [call('a')],
        },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ],
    });
    deepEqual(
      inference.items.filter(({ type }) => type === 'reasoning'),
      [
        {
          type: 'reasoning',
          id: 'rs_1_0',
          summary: [],
          content: ['a'],
          encrypted: undefined,
          signature: 's',
          format: 'anthropic-claude-v1',
        },
        {
          type: 'reasoning',
          id: 'rs_1_1',
          summary: ['b'],
          content: [],
          encrypted: 'x',
          signature: undefined,
          format: 'openai-responses-v1',
        },
      ],
    );
  });

  test('of the form before tools: a function_call and the message that answers it', () => {
    const { inference, form } = accepted({
      messages: [
        user,
        { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
        { role: 'function', name: 'look', content: 'sun' },
      ],
      functions: [{ name: 'look', parameters: {} }],
      function_call: { name: 'look' },
      max_tokens: 7,
    });
    equal(form.isLegacy, true);
    equal(inference.parallelToolCalls, false);
    equal(inference.maxOutputTokens, 7);
    deepEqual(inference.toolChoice, { type: 'function', name: 'look' });
    deepEqual(inference.items.slice(1), [
      { type: 'function-call', callId: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function-call-output', callId: 'call_1', output: 'sun' },
    ]);
  });

  test('answer a custom tool with an answer of its kind', () => {
    const { inference } = accepted({
      messages: [
        user,
        {
          role: 'assistant',
          tool_calls: [{ id: 'p', type: 'custom', custom: { name: 'patch', input: '***' } }],
        },
        { role: 'tool', tool_call_id: 'p', content: 'done' },
      ],
      tools: [
        {
          type: 'custom',
          custom: {
            name: 'patch',
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } },
          },
        },
      ],
    });
    deepEqual(inference.items.slice(1), [
      { type: 'custom-tool-call', callId: 'p', name: 'patch', input: '***' },
      { type: 'custom-tool-call-output', callId: 'p', output: 'done' },
    ]);
    deepEqual(inference.tools, [
      {
        type: 'custom',
        name: 'patch',
        description: undefined,
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
      },
    ]);
  });
});

describe('the options of a chat completion', () => {
  test('are those of the model, in its words', () => {
    const { inference } = accepted({
      max_completion_tokens: 5,
      max_tokens: 9,
      temperature: 0,
      seed: -3,
      stop: 'END',
      min_p: 0.1,
      top_a: 0.2,
      repetition_penalty: 1.1,
      logit_bias: { 50256: -100 },
      logprobs: true,
      prediction: { type: 'content', content: 'x' },
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } },
      stream: true,
      stream_options: { include_usage: false },
    });
    equal(inference.maxOutputTokens, 5);
    equal(inference.temperature, 0);
    equal(inference.stream, true);
    deepEqual(inference.options, {
      minP: 0.1,
      topA: 0.2,
      repetitionPenalty: 1.1,
      seed: -3,
      stop: ['END'],
      logitBias: { 50256: -100 },
      topLogprobs: 0,
      prediction: { type: 'content', content: 'x' },
      reasoning: { effort: 'low' },
      includesEncryptedReasoning: true,
      format: {
        type: 'json-schema',
        name: 'a',
        description: undefined,
        schema: {},
        strict: undefined,
      },
    });
  });

  test('have the schema of a json_object', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const response_format = { type: 'json_object', schema };
    deepEqual(accepted({ response_format }).inference.options?.format, {
      type: 'json-schema',
      name: 'answer',
      description: undefined,
      schema,
      strict: undefined,
    });
    const [wrong] = issues({ response_format: { type: 'json_object', schema: { type: 1 } } });
    ok(wrong?.startsWith('response_format.schema.type: '), wrong);
  });

  test('name what has no effect', () => {
    equal(accepted({ max_token: 3 }).warning, 'unknown field max_token (did you mean max_tokens?)');
    equal(accepted({}).warning, undefined);
  });
});

describe('a chat completion is refused, with the place', () => {
  test.each<[Body, string]>([
    [{ messages: [] }, 'messages: must have at least 1 item'],
    [{ messages: undefined }, 'messages: is required'],
    [{ messages: [{ role: 'king', content: '' }] }, 'messages[0].role: '],
    [
      { messages: [user, { role: 'tool', tool_call_id: 'x', content: '' }] },
      'messages[1].tool_call_id: names no earlier tool call',
    ],
    [
      { messages: [user, { role: 'function', name: 'f', content: '' }] },
      'messages[1]: follows no message with a function_call',
    ],
    [{ n: 2 }, 'n: must be 1: a completion is one answer'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop: '],
    [{ top_logprobs: 3 }, 'top_logprobs: needs logprobs'],
    [
      { reasoning: { effort: 'low' }, reasoning_effort: 'high' },
      'reasoning_effort: contradicts reasoning.effort',
    ],
    [
      { reasoning: { enabled: false }, reasoning_effort: 'high' },
      'reasoning_effort: contradicts reasoning.enabled',
    ],
    [
      { reasoning: { enabled: true }, reasoning_effort: 'none' },
      'reasoning_effort: contradicts reasoning.enabled',
    ],
    [{ tools: [look, look] }, 'tools[1].function.name: repeats the name look'],
    [
      { tools: [look], tool_choice: { type: 'function', function: { name: 'x' } } },
      'tool_choice.function.name: names a tool that is not in tools',
    ],
    [{ tool_choice: 'required' }, 'tool_choice: needs at least one tool'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
      'response_format.json_schema.schema: is required',
    ],
    [
      { response_format: { type: 'grammar' } },
      'response_format.type: the format grammar is known, but not available yet',
    ],
    [
      { tools: [look, { type: 'tool_search' }], unsupported_features: 'strict' },
      'tools[1].type: the tool tool_search is known, but not here: ask POST /responses for it',
    ],
    [{ modalities: ['audio'] }, 'modalities: the modality audio is known, but not available yet'],
    [{ provider: { onyl: [] } }, 'provider.onyl: '],
    [
      { messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] },
      'messages[0].content[0].file',
    ],
  ])('%j', (body, meant) => {
    const found = issues(body);
    ok(
      found.some((issue) => issue.startsWith(meant)),
      found.join('\n'),
    );
  });
});
