import type { InferenceRequest } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { prepareCall } from '../prepare-request.ts';
import { openAiResponsesTranslator } from './openai-responses.ts';

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
const wire = (changes: Partial<InferenceRequest>): unknown => {
  const endpoint = {
    provider: 'p',
    dialect: 'openai-responses',
    baseUrl: 'http://127.0.0.1:1',
    apiKey: undefined,
    upstreamModel: 'm-1',
  } as const;
  return JSON.parse(
    JSON.stringify(
      prepareCall(openAiResponsesTranslator, endpoint, { ...request, ...changes }).body,
    ),
  );
};

describe('a responses request', () => {
  test('sets store to false, and has no field that the client omitted', () => {
    expect(wire({})).toEqual({
      model: 'm-1',
      input: [{ type: 'message', role: 'user', content: 'hi' }],
      store: false,
    });
  });

  test('sends limits and sampling options', () => {
    expect(wire({ maxOutputTokens: 7, temperature: 0, topP: 0.5, stream: true })).toMatchObject({
      max_output_tokens: 7,
      temperature: 0,
      top_p: 0.5,
      stream: true,
    });
  });

  test('sends calls and outputs as separate items', () => {
    expect(
      wire({
        items: [
          { type: 'function-call', callId: 'a', name: 'f', arguments: '{"x":1}' },
          { type: 'function-call-output', callId: 'a', output: '1' },
        ],
      }),
    ).toMatchObject({
      input: [
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":1}' },
        { type: 'function_call_output', call_id: 'a', output: '1' },
      ],
    });
  });

  test('sends several texts with the type of their role', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ] as const;
    expect(
      wire({
        items: [
          { type: 'message', role: 'user', content },
          { type: 'message', role: 'assistant', content },
        ],
      }),
    ).toMatchObject({
      input: [
        { content: [{ type: 'input_text', text: 'a' }, { type: 'input_text' }] },
        { content: [{ type: 'output_text', text: 'a' }, { type: 'output_text' }] },
      ],
    });
  });

  test('sends tools and the tool choice', () => {
    const tools = [
      {
        type: 'function' as const,
        name: 'f',
        description: 'd',
        parameters: { type: 'object' },
        strict: false,
      },
      {
        type: 'function' as const,
        name: 'g',
        description: undefined,
        parameters: undefined,
        strict: undefined,
      },
    ];
    expect(wire({ tools, toolChoice: { type: 'function', name: 'f' } })).toMatchObject({
      tools: [
        { type: 'function', name: 'f', description: 'd', strict: false },
        { type: 'function', name: 'g' },
      ],
      tool_choice: { type: 'function', name: 'f' },
    });
    expect(wire({ tools, toolChoice: { type: 'none' } })).toMatchObject({ tool_choice: 'none' });
    expect(wire({ tools })).not.toHaveProperty('tool_choice');
    expect(wire({ toolChoice: { type: 'required' } })).not.toHaveProperty('tool_choice');
  });
});
