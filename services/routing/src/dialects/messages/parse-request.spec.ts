import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { sealThought } from '../answer/sealed-thought.ts';
import { type Body, bodyChecks } from '../testing/body-checks.ts';
import { parseMessagesRequest } from './parse-request.ts';

const user = { role: 'user', content: 'hello' };
const base: Body = { model: 'sim/messages', max_tokens: 9, messages: [user] };
const { accepted, issues } = bodyChecks(base, parseMessagesRequest);

const look = { name: 'look', input_schema: { type: 'object' } };
const search = { type: 'code_execution_20250522', name: 'code_execution' };
const text = (value: string) => [{ type: 'text', text: value }];
const thought = { type: 'reasoning', summary: [], content: [], encrypted: undefined } as const;

describe('a message', () => {
  test('of the system is left out if it is only for the billing of Anthropic', () => {
    const line = 'x-anthropic-billing-header: cc_version=2.1.330.a; cc_entrypoint=cli; cch=1;';
    const items = (...system: readonly string[]) =>
      accepted({ system: system.flatMap(text) }).inference.items;
    deepEqual(items(line, 'You are an agent.'), items('You are an agent.'));
    equal(items(`${line}\nYou are an agent.`, `My ${line}`)[0]?.type, 'message');
    equal(items(line).length, 1);
  });

  test('becomes items in their order: system, thoughts, text, calls, answers', () => {
    const { inference } = accepted({
      system: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }],
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'text', text: 'I look' },
            { type: 'tool_use', id: 'a', name: 'look', input: { x: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: text('no'), is_error: true },
            { type: 'text', text: '' },
            { type: 'text', text: 'well?' },
          ],
        },
      ],
      tools: [look],
    });
    deepEqual(inference.items, [
      {
        type: 'message',
        role: 'system',
        content: [{ type: 'text', text: 'be brief', cache: { ttl: '5m' } }],
      },
      { type: 'message', role: 'user', content: text('hello') },
      {
        ...thought,
        id: 'rs_1_0',
        content: ['hm'],
        signature: 's',
        format: 'anthropic-claude-v1',
      },
      { type: 'message', role: 'assistant', content: text('I look') },
      { type: 'function-call', callId: 'a', name: 'look', arguments: '{"x":1}' },
      { type: 'function-call-output', callId: 'a', output: text('no'), isError: true },
      { type: 'message', role: 'user', content: text('well?') },
    ]);
  });

  test('carries pictures and documents, with what is told about them', () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: 'aGk=' };
    const { inference } = accepted({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
            { type: 'document', source, title: 'a', context: 'b', citations: { enabled: true } },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'hi' },
            },
            { type: 'search_result', source: 'u', title: 't', content: text('c') },
            { type: 'web_search_tool_result', tool_use_id: 'x', content: [] },
          ],
        },
      ],
    });
    const [item] = inference.items;
    const data = { type: 'data', base64: 'aGk=' };
    deepEqual(item?.type === 'message' && item.content, [
      { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' }, detail: 'auto' },
      { type: 'text', text: 'b' },
      {
        type: 'file',
        source: { ...data, mediaType: 'application/pdf' },
        filename: 'a',
        isCited: true,
      },
      { type: 'file', source: { ...data, mediaType: 'text/plain' }, filename: undefined },
      { type: 'text', text: 't\nu\nc' },
    ]);
  });

  test('gives thoughts of another maker back to it', () => {
    const replay = { encrypted: 'x', format: 'openai-responses-v1' };
    const sealed = sealThought(replay, undefined);
    const { inference } = accepted({
      messages: [
        user,
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'a summary', signature: sealed },
            { type: 'redacted_thinking', data: sealed },
            { type: 'redacted_thinking', data: 'of Claude' },
            { type: 'thinking', thinking: 'plain', signature: '' },
          ],
        },
        user,
      ],
    });
    const made = { ...thought, signature: undefined };
    deepEqual(
      inference.items.filter(({ type }) => type === 'reasoning'),
      [
        { ...made, id: 'rs_1_0', summary: ['a summary'], ...replay },
        { ...made, id: 'rs_1_1', ...replay },
        { ...made, id: 'rs_1_2', encrypted: 'of Claude', format: 'anthropic-claude-v1' },
        { ...made, id: 'rs_1_3', content: ['plain'], format: undefined },
      ],
    );
  });

  test.each([
    [{ thinking: { type: 'adaptive' } }, { isEnabled: true, isAdaptive: true }],
    [
      { thinking: { type: 'adaptive', display: 'omitted' } },
      { isEnabled: true, isAdaptive: true, isHidden: true },
    ],
    [
      { thinking: { type: 'enabled', budget_tokens: 2_000, display: 'summarized' } },
      { tokensMax: 2_000 },
    ],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      { effort: 'low', isEnabled: true },
    ],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'low' } }, { isEnabled: false }],
    [{ output_config: { effort: 'low' } }, undefined],
  ])('thinks as %j says', (fields, reasoning) => {
    const { options } = accepted({ max_tokens: 4_000, ...fields }).inference;
    deepEqual(options?.reasoning, reasoning);
  });

  test('takes its options', () => {
    const call = accepted({
      top_k: 3,
      stop_sequences: ['END'],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
      tools: [look],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      speed: 'fast',
      metadata: { user_id: 'someone' },
      fallbacks: [{ model: 'sim/chat' }],
      context_management: { edits: [] },
      beta: true,
    });
    const { inference, preferences } = call;
    equal(inference.parallelToolCalls, false);
    deepEqual(inference.toolChoice, { type: 'required' });
    deepEqual(inference.options, {
      topK: 3,
      stop: ['END'],
      reasoning: { effort: 'low', isEnabled: true },
      includesEncryptedReasoning: true,
      format: {
        type: 'json-schema',
        name: 'answer',
        description: undefined,
        schema: {},
        strict: undefined,
      },
      serviceTier: 'fast',
    });
    deepEqual(preferences.models, ['sim/messages', 'sim/chat']);
    equal(call.safetyIdentifier, 'someone');
    equal(call.warning, 'unknown field beta; context_management has no effect');
  });

  test('takes the form of the answer where older clients put it, and not in two places', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    deepEqual(
      accepted({ output_format: format }).inference.options?.format,
      accepted({ output_config: { format } }).inference.options?.format,
    );
    deepEqual(issues({ output_format: format, output_config: { format } }), [
      'output_format: cannot stand beside output_config.format',
    ]);
    const [wrong] = issues({ output_format: { type: 'json_schema', schema: { type: 1 } } });
    ok(wrong?.startsWith('output_format.schema.type: '), wrong);
  });

  test('leaves sampling to the model where -1 says so, as LangChain does', () => {
    const { inference } = accepted({ top_k: -1, top_p: -1 });
    deepEqual([inference.topP, inference.options?.topK], [undefined, undefined]);
    deepEqual(accepted({ top_p: 0 }).inference.topP, 0);
  });

  test('warns of stop sequences beyond those that every provider takes', () => {
    const stops = ['1', '2', '3', '4'];
    equal(accepted({ stop_sequences: stops }).warning, undefined);
    const call = accepted({ stop_sequences: [...stops, '5'] });
    deepEqual(call.inference.options?.stop, [...stops, '5']);
    equal(call.warning, 'stop_sequences after the fourth have no effect on some models');
  });

  test('leaves out tools that nothing runs, beside others', () => {
    const { inference, leftOut } = accepted({ tools: [search, look] });
    deepEqual(
      inference.tools.map((tool) => tool.type === 'function' && tool.name),
      ['look'],
    );
    deepEqual(leftOut, ['code_execution_20250522']);
  });

  test.each([
    { type: 'nail', name: 7, input_schema: 7 },
    { type: 'mcp_toolset', mcp_server_name: 's' },
    { type: 'code_execution_20250522', input_schema: {} },
  ])('leaves out a tool of any other kind, whatever it has: %j', (tool) => {
    const { inference, leftOut } = accepted({ tools: [tool, look] });
    deepEqual([inference.tools.length, leftOut], [1, [tool.type]]);
  });

  test('tells a tool that a search of the client found by its name', () => {
    const found = [{ type: 'tool_reference', tool_name: 'look' }];
    const { inference } = accepted({
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'find', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: found }] },
      ],
      tools: [look],
    });
    const output = text('The tool look is available.');
    deepEqual(inference.items.at(-1), { type: 'function-call-output', callId: 'a', output });
  });
});

describe('a message is refused, with the place', () => {
  test.each<[Body, string]>([
    [{ messages: [] }, 'messages: must have at least 1 item'],
    [{ messages: [user], tools: [{ type: 'bash_20250124', name: 7 }] }, 'tools[0].name: must be a'],
    [{ messages: [{ role: 'king', content: '' }] }, 'messages[0].role: '],
    [
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] }] },
      'messages[0].content[0].tool_use_id: names no earlier tool_use',
    ],
    [{ max_tokens: 0 }, 'max_tokens: '],
    [{ thinking: { type: 'enabled', budget_tokens: 3 } }, 'thinking.budget_tokens: '],
    [{ tools: [look, look] }, 'tools[1].name: repeats the name look'],
    [{ tools: [{ name: 'x', type: 'custom' }] }, 'tools[0].input_schema: is required'],
    [{ tools: [{ type: 'a nail' }, look] }, 'tools[0].type: '],
    [{ tools: [{ type: 'nail' }] }, 'tools[0].type: is no known kind of tool'],
    [{ tools: [search] }, 'tools[0].type: the tool code_execution_20250522 is known'],
    [
      { tools: [look, search], tool_choice: { type: 'tool', name: 'code_execution' } },
      'tools[1].type: the tool code_execution_20250522 is known',
    ],
    [
      { tools: [look], tool_choice: { type: 'tool', name: 'x' } },
      'tool_choice.name: names a tool that is not in tools',
    ],
    [{ models: ['a/b'], fallbacks: [{ model: 'c/d' }] }, 'fallbacks: cannot stand beside models'],
    [{ fallbacks: [{ model: 'c/d', speed: 'fast' }] }, 'fallbacks[0].speed: '],
    [{ mcp_servers: [{}] }, 'mcp_servers: a server of tools is known, but not available yet'],
  ])('%j', (body, meant) => {
    const found = issues(body);
    ok(
      found.some((issue) => issue.startsWith(meant)),
      found.join('\n'),
    );
  });
});
