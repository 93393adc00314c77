import type { InferenceRequest } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { interruptedOutput } from '../history/repair-history.ts';
import { prepareCall } from '../prepare-request.ts';
import { compatibleChat, type Endpoint } from '../endpoint.ts';
import { openAiChatTranslator } from './openai-chat.ts';

const endpoint: Endpoint = {
  provider: 'p',
  dialect: 'openai-chat',
  baseUrl: 'http://127.0.0.1:1',
  apiKey: undefined,
  upstreamModel: 'm-1',
};

const request: InferenceRequest = {
  items: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: undefined,
  temperature: undefined,
  topP: undefined,
  stream: false,
};

/** Returns the body on the wire, without absent fields. */
const wire = (changes: Partial<InferenceRequest>, target: Endpoint = endpoint): unknown =>
  JSON.parse(
    JSON.stringify(prepareCall(openAiChatTranslator, target, { ...request, ...changes }).body),
  );

describe('a chat completion request', () => {
  test('has no field that the client omitted', () => {
    expect(wire({})).toEqual({ model: 'm-1', messages: [{ role: 'user', content: 'hi' }] });
  });

  test('asks for usage when it streams', () => {
    expect(wire({ stream: true })).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('uses the output limit field of the server', () => {
    expect(wire({ maxOutputTokens: 7 })).toMatchObject({ max_completion_tokens: 7 });
    const compatible = wire({ maxOutputTokens: 7 }, { ...endpoint, chat: compatibleChat });
    expect(compatible).toMatchObject({ max_tokens: 7 });
    expect(compatible).not.toHaveProperty('max_completion_tokens');
  });

  test('sends developer messages as system messages if the server lacks the developer role', () => {
    const items = [{ type: 'message', role: 'developer', content: [] }] as const;
    expect(wire({ items })).toMatchObject({ messages: [{ role: 'developer', content: '' }] });
    expect(wire({ items }, { ...endpoint, chat: compatibleChat })).toMatchObject({
      messages: [{ role: 'system' }],
    });
  });

  test('sends sampling options', () => {
    expect(wire({ temperature: 0, topP: 0.5 })).toMatchObject({ temperature: 0, top_p: 0.5 });
  });

  test('sends several texts as parts', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ] as const;
    expect(wire({ items: [{ type: 'message', role: 'user', content }] })).toMatchObject({
      messages: [{ role: 'user', content }],
    });
  });

  test('adds calls to their assistant message, and outputs after it', () => {
    const items: InferenceRequest['items'] = [
      { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'one moment' }] },
      { type: 'function-call', callId: 'a', name: 'f', arguments: '{"x":1}' },
      { type: 'function-call', callId: 'b', name: 'g', arguments: '{}' },
      { type: 'function-call-output', callId: 'a', output: '1' },
      { type: 'function-call-output', callId: 'b', output: '2' },
      { type: 'function-call', callId: 'c', name: 'f', arguments: '{}' },
    ];
    const call = (id: string, name: string, text: string): unknown => ({
      id,
      type: 'function' as const,
      function: { name, arguments: text },
    });
    expect(wire({ items })).toMatchObject({
      messages: [
        {
          role: 'assistant',
          content: 'one moment',
          tool_calls: [call('a', 'f', '{"x":1}'), call('b', 'g', '{}')],
        },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: '2' },
        { role: 'assistant', content: null, tool_calls: [call('c', 'f', '{}')] },
        { role: 'tool', tool_call_id: 'c', content: interruptedOutput },
      ],
    });
  });

  test('sends tools and the tool choice', () => {
    const parameters = { type: 'object', properties: {} };
    const tools = [
      { type: 'function' as const, name: 'f', description: 'd', parameters, strict: true },
    ];
    const choice = { type: 'function', name: 'f' } as const;
    expect(wire({ tools, toolChoice: choice, parallelToolCalls: false })).toMatchObject({
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'd', parameters, strict: true },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
    });
    expect(wire({ tools, toolChoice: { type: 'required' } })).toMatchObject({
      tool_choice: 'required',
    });
  });

  test('omits all tool fields if there are no tools, because servers refuse them', () => {
    const body = wire({ toolChoice: { type: 'none' }, parallelToolCalls: true });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).not.toHaveProperty('parallel_tool_calls');
  });
});
