import { isRejection, type Rejection } from '@sluice/errors';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseResponsesRequest } from './parse-request.ts';
import {
  accepted,
  bytes,
  call,
  message,
  output,
  tool,
  type Body,
} from '../testing/request-body.ts';

describe('a request is accepted', () => {
  test('with a string as input: one message of the user', () => {
    expect(accepted({ input: 'hello' }).inference).toEqual({
      items: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hello' }] }],
      tools: [],
      toolChoice: { type: 'auto' },
      parallelToolCalls: undefined,
      maxOutputTokens: undefined,
      temperature: undefined,
      topP: undefined,
      options: {},
      stream: false,
    });
  });

  test('and repeated the same whether or not it also says what it need not', () => {
    const plain = accepted({ input: 'hello' });
    const said = accepted({ input: 'hello', metadata: {}, user: null, parallel_tool_calls: null });
    expect(said).toEqual(plain);
    expect(JSON.stringify(said.echo)).toBe(JSON.stringify(plain.echo));
    for (const body of [{ temperature: 0 }, { top_p: 0 }, { max_output_tokens: 7 }]) {
      const few = accepted({ input: 'hello', ...body });
      expect(few.echo).toEqual({ ...plain.echo, ...body });
      expect(few).toEqual(accepted({ input: 'hello', ...body, user: null }));
    }
  });

  test('with instructions: the first message, of the system', () => {
    const { items } = accepted({ instructions: 'be brief' }).inference;
    expect(items.map((item) => item.type === 'message' && item.role)).toEqual(['system', 'user']);
    expect(accepted({ input: undefined, instructions: 'say hi' }).inference.items).toHaveLength(1);
    expect(accepted({ input: [], instructions: 'say hi' }).inference.items).toHaveLength(1);
  });

  test('with messages of every role and shape', () => {
    const input = [
      message('a', 'system'),
      message([{ type: 'input_text', text: 'b' }], 'developer'),
      { type: 'message', ...message(null) },
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'c', annotations: [], logprobs: [] },
          { type: 'refusal', refusal: 'd' },
        ],
      },
    ];
    const text = (value: string): Body => ({ type: 'text', text: value });
    expect(accepted({ input }).inference.items).toEqual([
      { type: 'message', role: 'system', content: [text('a')] },
      { type: 'message', role: 'developer', content: [text('b')] },
      { type: 'message', role: 'user', content: [] },
      { type: 'message', role: 'assistant', content: [text('c'), text('d')] },
    ]);
  });

  test('with calls and their outputs', () => {
    const parts = [
      { type: 'input_text', text: '1' },
      { type: 'input_text', text: '2' },
    ];
    const text = (...texts: readonly string[]): readonly Body[] =>
      texts.map((each) => ({ type: 'text', text: each }));
    const input = ['hi', call('a'), call('b'), output('b'), output('a', parts)];
    expect(accepted({ input: input.slice(1) }).inference.items).toEqual([
      { type: 'function-call', callId: 'a', name: 'f', arguments: '{}' },
      { type: 'function-call', callId: 'b', name: 'f', arguments: '{}' },
      { type: 'function-call-output', callId: 'b', output: 'out' },
      { type: 'function-call-output', callId: 'a', output: text('1', '2') },
    ]);
  });

  test('with thoughts of an earlier turn, for the model that had them', () => {
    const thought = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'short' }],
      content: null,
      encrypted_content: 'x',
      format: 'anthropic-claude-v1',
    };
    expect(accepted({ input: [thought, message('hi')] }).inference.items[0]).toEqual({
      type: 'reasoning',
      id: 'rs_1',
      summary: ['short'],
      content: [],
      encrypted: 'x',
      signature: undefined,
      format: 'anthropic-claude-v1',
    });
  });

  test('with function tools and a choice among them', () => {
    const tools = [tool('f', { parameters: { type: 'object' }, strict: true }), tool('g')];
    const request = accepted({ tools, tool_choice: { type: 'function', name: 'g' } });
    expect(request.inference.tools).toEqual([
      {
        type: 'function',
        name: 'f',
        description: undefined,
        parameters: { type: 'object' },
        strict: true,
      },
      {
        type: 'function',
        name: 'g',
        description: undefined,
        parameters: undefined,
        strict: undefined,
      },
    ]);
    expect(request.inference.toolChoice).toEqual({ type: 'function', name: 'g' });
    expect(request.echo.tool_choice).toEqual({ type: 'function', name: 'g' });
    expect(request.echo.tools).toMatchObject([
      { type: 'function', name: 'f', strict: true },
      { name: 'g', description: null, parameters: null, strict: null },
    ]);
  });

  test('with numbers at the ends of their ranges', () => {
    for (const [temperature, topP, maxOutputTokens] of [
      [0, 0, 1],
      [2, 1, 1_000_000],
    ]) {
      const fields = { temperature, top_p: topP, max_output_tokens: maxOutputTokens };
      expect(accepted(fields).inference).toMatchObject({ temperature, topP, maxOutputTokens });
    }
  });

  test('with identifiers and metadata, which no model sees', () => {
    const request = accepted({
      user: 'u',
      session_id: 's',
      safety_identifier: 'i',
      metadata: { a: 'b' },
    });
    expect(request).toMatchObject({ user: 'u', sessionId: 's', safetyIdentifier: 'i' });
    expect(request.echo).toMatchObject({ user: 'u', safety_identifier: 'i', metadata: { a: 'b' } });
    expect(JSON.stringify(request.inference)).toBe(JSON.stringify(accepted({}).inference));
  });

  test('with keys outside the contract, which are skipped and named', () => {
    expect(accepted({ something_else: { deep: [1] } })).toEqual({
      ...accepted({}),
      warning: 'unknown field something_else',
    });
  });

  test.each([
    { store: false, background: false, previous_response_id: null },
    { plugins: [], include: [], models: [], modalities: ['text'], n: 1 },
    { reasoning: { effort: null }, provider: {}, trace: null, debug: {} },
    { text: { format: { type: 'text' } }, truncation: 'disabled', service_tier: 'auto' },
    { text: {}, truncation: null, service_tier: 'default', top_logprobs: 0 },
    { frequency_penalty: 0, presence_penalty: null, service_tier: 'scale' },
    { temperature: null, tools: [], tool_choice: 'auto', parallel_tool_calls: null },
  ])('with values that ask for nothing: %o', (fields) => {
    expect(accepted(fields).inference).toEqual(accepted({}).inference);
  });

  test('with more tool steps than there may be, which are clamped', () => {
    expect(accepted({ max_tool_calls: 31 }).echo.max_tool_calls).toBe(30);
    expect(accepted({ max_tool_calls: 3 }).echo.max_tool_calls).toBe(3);
  });
});

describe('a body is refused', () => {
  test.each([
    ['', 'the body is missing'],
    ['{', 'the body is not valid JSON'],
    ['[]', 'the body must be a JSON object'],
    ['"text"', 'the body must be a JSON object'],
    ['null', 'the body must be a JSON object'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'nested more than 64 levels'],
    ['['.repeat(100_000), 'nested more than 64 levels'],
    [`{"a":[${'0,'.repeat(250_000)}0]}`, 'more than 250000 values'],
    [`{"a":[${'{"b":0},'.repeat(130_000)}0]}`, 'more than 250000 values'],
    [`{"a":{${'"b":{},'.repeat(130_000)}"c":0}}`, 'an object of more than 4000 fields'],
  ])('%.20s', (body, reason) => {
    const rejection = parseResponsesRequest(bytes(body));
    expect(rejection).toMatchObject({ rejected: 'invalid_request' });
    expect((rejection as Rejection).message).toContain(reason);
  });

  test('when it is no UTF-8', () => {
    const body = Buffer.concat([bytes('{"model":"'), Buffer.from([0xff]), bytes('"}')]);
    expect(parseResponsesRequest(body)).toMatchObject({ rejected: 'invalid_request' });
  });

  test('not for 63 levels below the first', () => {
    const nested = JSON.parse(`${'['.repeat(63)}${']'.repeat(63)}`) as unknown;
    expect(accepted({ unknown: nested })).toBeDefined();
  });
});

describe('whatever comes', () => {
  const names = ['model', 'input', 'tools', 'tool_choice', 'text', 'metadata', 'stream', 'user'];

  test('it is a request or a rejection, never a throw', () => {
    const body = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    fc.assert(
      fc.property(body, (fields) => {
        const request = parseResponsesRequest(bytes(JSON.stringify(fields)));
        expect(isRejection(request) || request.preferences.models.length > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('bytes that are no JSON are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (body) => {
        expect(isRejection(parseResponsesRequest(body))).toBe(true);
      }),
    );
  });
});
