import { describe, expect, test } from 'vitest';
import { call, message, output, refused, tool, type Body } from '../testing/request-body.ts';

describe('a request is refused', () => {
  const many = (length: number, make: (index: number) => unknown): readonly unknown[] =>
    Array.from({ length }, (_, index) => make(index));

  test.each<[string, Body, string, string]>([
    ['without a model', { model: undefined }, 'model', 'model_not_found'],
    ['with an empty model', { model: '' }, 'model', 'invalid_request'],
    ['with a model that is no string', { model: 1 }, 'model', 'invalid_request'],
    ['with an endless model', { model: 'x'.repeat(257) }, 'model', 'invalid_request'],
    ['without input and instructions', { input: undefined }, 'input', 'invalid_prompt'],
    ['with empty input and no instructions', { input: [] }, 'input', 'invalid_prompt'],
    ['with input of another type', { input: 7 }, 'input', 'invalid_request'],
    ['with too many items', { input: many(10_001, () => message('')) }, 'input', 'invalid_request'],
    ['with an item that is no object', { input: ['a'] }, 'input[0]', 'invalid_prompt'],
    ['with an item without type', { input: [{}] }, 'input[0].type', 'invalid_prompt'],
    ['with an unknown item', { input: [{ type: 'x' }] }, 'input[0].type', 'invalid_prompt'],
    ['with an unknown role', { input: [message('', 'tool')] }, 'input[0].role', 'invalid_prompt'],
    [
      'with a message without role',
      { input: [{ type: 'message', content: '' }] },
      'input[0].role',
      'invalid_prompt',
    ],
    [
      'with content that is a number',
      { input: [message(1)] },
      'input[0].content',
      'invalid_prompt',
    ],
    [
      'with a part that is no object',
      { input: [message(['a'])] },
      'input[0].content[0]',
      'invalid_prompt',
    ],
    [
      'with a part of an unknown type',
      { input: [message([{ type: 'text', text: '' }])] },
      'input[0].content[0].type',
      'invalid_prompt',
    ],
    [
      'with output text said by the user',
      { input: [message([{ type: 'output_text', text: '' }])] },
      'input[0].content[0].type',
      'invalid_prompt',
    ],
    [
      'with a text without text',
      { input: [message([{ type: 'input_text' }])] },
      'input[0].content[0].text',
      'invalid_prompt',
    ],
    [
      'with a bad status',
      { input: [{ ...message('', 'assistant'), status: 'x' }] },
      'input[0].status',
      'invalid_prompt',
    ],
    [
      'with an output without its call',
      { input: [output('a')] },
      'input[0].call_id',
      'invalid_prompt',
    ],
    [
      'with an output before its call',
      { input: [output('a'), call('a'), output('a')] },
      'input[0].call_id',
      'invalid_prompt',
    ],
    ['with a call without an output', { input: [call('a')] }, 'input[0].call_id', 'invalid_prompt'],
    [
      'with a call without a name',
      { input: [{ ...call('a'), name: undefined }, output('a')] },
      'input[0].name',
      'invalid_prompt',
    ],
    [
      'with arguments that are no text',
      { input: [{ ...call('a'), arguments: {} }, output('a')] },
      'input[0].arguments',
      'invalid_prompt',
    ],
    [
      'with an output of another type',
      { input: [call('a'), output('a', 3)] },
      'input[1].output',
      'invalid_prompt',
    ],
    [
      'with a thought without id',
      { input: [{ type: 'reasoning', summary: [] }] },
      'input[0].id',
      'invalid_prompt',
    ],
    [
      'with instructions that are no string',
      { instructions: [] },
      'instructions',
      'invalid_request',
    ],
    ['with no room for output', { max_output_tokens: 0 }, 'max_output_tokens', 'invalid_request'],
    ['with half a token', { max_output_tokens: 1.5 }, 'max_output_tokens', 'invalid_request'],
    ['with too cold a temperature', { temperature: -0.1 }, 'temperature', 'invalid_request'],
    ['with too hot a temperature', { temperature: 2.1 }, 'temperature', 'invalid_request'],
    ['with a temperature in words', { temperature: '1' }, 'temperature', 'invalid_request'],
    ['with top_p above 1', { top_p: 1.01 }, 'top_p', 'invalid_request'],
    [
      'with a penalty out of range',
      { frequency_penalty: 3 },
      'frequency_penalty',
      'invalid_request',
    ],
    ['with no tool steps', { max_tool_calls: 0 }, 'max_tool_calls', 'invalid_request'],
    ['with a stream that is no boolean', { stream: 'yes' }, 'stream', 'invalid_request'],
    ['that wants to be stored', { store: true }, 'store', 'invalid_request'],
    ['that wants to run behind', { background: true }, 'background', 'invalid_request'],
    [
      'that follows another',
      { previous_response_id: 'r' },
      'previous_response_id',
      'invalid_request',
    ],
    ['with tools that are no array', { tools: {} }, 'tools', 'invalid_request'],
    [
      'with too many tools',
      { tools: many(129, (i) => tool(`f${String(i)}`)) },
      'tools',
      'invalid_request',
    ],
    ['with a tool that is no object', { tools: ['f'] }, 'tools[0]', 'invalid_request'],
    ['with an unknown tool', { tools: [{ type: 'x' }] }, 'tools[0].type', 'invalid_request'],
    [
      'with an unknown service tool',
      { tools: [{ type: 'service:x' }] },
      'tools[0].type',
      'invalid_request',
    ],
    [
      'with a tool without a name',
      { tools: [{ type: 'function' }] },
      'tools[0].name',
      'invalid_request',
    ],
    ['with a tool with a bad name', { tools: [tool('a b')] }, 'tools[0].name', 'invalid_request'],
    [
      'with a tool with an endless name',
      { tools: [tool('a'.repeat(65))] },
      'tools[0].name',
      'invalid_request',
    ],
    [
      'with two tools of one name',
      { tools: [tool('f'), tool('f')] },
      'tools[1].name',
      'invalid_request',
    ],
    [
      'with parameters that are no schema',
      { tools: [tool('f', { parameters: [] })] },
      'tools[0].parameters',
      'invalid_request',
    ],
    [
      'with a tool choice of another type',
      { tool_choice: 'any' },
      'tool_choice',
      'invalid_request',
    ],
    [
      'that requires a tool it has not',
      { tool_choice: 'required' },
      'tool_choice',
      'invalid_request',
    ],
    [
      'that names a tool it has not',
      { tools: [tool('f')], tool_choice: { type: 'function', name: 'g' } },
      'tool_choice.name',
      'invalid_request',
    ],
    [
      'with an unknown tool choice',
      { tool_choice: { type: 'x' } },
      'tool_choice.type',
      'invalid_request',
    ],
    [
      'with an endless session id',
      { session_id: 'x'.repeat(257) },
      'session_id',
      'invalid_request',
    ],
    ['with an endless user', { user: 'x'.repeat(257) }, 'user', 'invalid_request'],
    ['with an empty user', { user: '' }, 'user', 'invalid_request'],
    ['with a user with control characters', { user: 'a\u0007' }, 'user', 'invalid_request'],
    ['with metadata that is no object', { metadata: [] }, 'metadata', 'invalid_request'],
    [
      'with too much metadata',
      {
        metadata: Object.fromEntries(many(17, (i) => [`k${String(i)}`, '']) as [string, string][]),
      },
      'metadata',
      'invalid_request',
    ],
    ['with brackets in metadata', { metadata: { 'a[0]': '' } }, 'metadata.a[0]', 'invalid_request'],
    ['with a number in metadata', { metadata: { a: 1 } }, 'metadata.a', 'invalid_request'],
    [
      'with an endless value in metadata',
      { metadata: { a: 'x'.repeat(513) } },
      'metadata.a',
      'invalid_request',
    ],
    ['with an unknown service tier', { service_tier: 'gold' }, 'service_tier', 'invalid_request'],
    ['with an unknown truncation', { truncation: 'some' }, 'truncation', 'invalid_request'],
    [
      'with an unknown text format',
      { text: { format: { type: 'xml' } } },
      'text.format.type',
      'invalid_request',
    ],
    [
      'with a text format without type',
      { text: { format: {} } },
      'text.format.type',
      'invalid_request',
    ],
  ])('%s', (_, fields, path, code) => {
    const rejection = refused(fields);
    expect(rejection.rejected).toBe(code);
    expect(rejection.metadata?.['issues']).toEqual([{ path, message: expect.any(String) }]);
    expect(rejection.message).toMatch(/^Invalid request: .+: .+/);
  });

  test('naming the place and the reason of each problem', () => {
    expect(refused({ temperature: 9, top_p: -1 })).toEqual({
      rejected: 'invalid_request',
      message: 'Invalid request: temperature: must be at most 2',
      metadata: {
        issues: [
          { path: 'temperature', message: 'must be at most 2' },
          { path: 'top_p', message: 'must be at least 0' },
        ],
      },
    });
  });

  test('naming no more than 20 problems', () => {
    const { metadata } = refused({ input: many(1_000, () => 'x') });
    expect(metadata?.['issues']).toHaveLength(20);
  });
});
