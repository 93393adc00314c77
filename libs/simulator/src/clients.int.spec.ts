import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { ApiError, FunctionCallingConfigMode, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startSimulator, type Simulator } from './index.ts';

// Tests the dialects against the stock clients of the providers.

let folder: string;
let simulator: Simulator;
let anthropic: Anthropic;
let google: GoogleGenAI;
let openai: OpenAI;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  const origin = new URL(simulator.url).origin;
  anthropic = new Anthropic({ apiKey: 'any', baseURL: origin, maxRetries: 0 });
  google = new GoogleGenAI({
    apiKey: 'any',
    vertexai: false,
    apiVersion: 'v1',
    httpOptions: { baseUrl: origin },
  });
  openai = new OpenAI({ apiKey: 'any', baseURL: simulator.url, maxRetries: 0 });
});
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

const schema = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

describe('the SDK of Anthropic', () => {
  const asked = { model: 'claude', max_tokens: 4_000 };
  const user = (content: string) => ({ role: 'user' as const, content });
  const tools = [{ name: 'get_weather', input_schema: schema }];

  test('reads a message and its usage, whole and streamed', async () => {
    const body = { ...asked, messages: [user('One two three')] };
    const whole = await anthropic.messages.create(body);
    const streamed = await anthropic.messages.stream(body).finalMessage();
    for (const message of [whole, streamed]) {
      deepEqual(
        message.content.map((block) => block.type === 'text' && block.text),
        ['You said: One two three'],
      );
      deepEqual(
        [message.stop_reason, message.role, message.type],
        ['end_turn', 'assistant', 'message'],
      );
      ok(message.usage.input_tokens > 0 && message.usage.output_tokens > 0);
    }
    deepEqual(streamed.usage.output_tokens, whole.usage.output_tokens);
  });

  test('thinks, calls a tool, and gives both back', async () => {
    const thinking = { type: 'enabled' as const, budget_tokens: 1_024 };
    const first = [user('call get_weather')];
    const body = { ...asked, messages: first, tools, thinking };
    const whole = await anthropic.messages.create(body);
    const streamed = await anthropic.messages.stream(body).finalMessage();
    for (const message of [whole, streamed]) {
      equal(message.stop_reason, 'tool_use');
      deepEqual(
        message.content.map(({ type }) => type),
        ['thinking', 'tool_use'],
      );
      const called = message.content[1];
      ok(called?.type === 'tool_use');
      deepEqual(called.input, { city: 'text' });
      const answered = await anthropic.messages.create({
        ...body,
        messages: [
          ...first,
          { role: 'assistant', content: message.content },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: called.id, content: 'sunny' }],
          },
        ],
      });
      const said = answered.content.at(-1);
      ok(said?.type === 'text');
      equal(said.text, 'The tool answered: sunny');
    }
  });

  test('knows each refusal by its class', async () => {
    const ask = (model: string) =>
      anthropic.messages.create({ ...asked, model, messages: [user('x')] });
    await rejects(ask('sim-error-429'), Anthropic.RateLimitError);
    await rejects(ask('sim-error-401'), Anthropic.AuthenticationError);
    const overloaded = await ask('sim-error-529').catch((error: unknown) => error);
    ok(overloaded instanceof Anthropic.APIError);
    deepEqual([overloaded.status, overloaded.type], [529, 'overloaded_error']);
  });

  const call = { type: 'tool_use', id: 't', name: 'get_weather', input: {} };
  const result = { type: 'tool_result', tool_use_id: 't', content: 'x' };
  const thought = { type: 'thinking', budget_tokens: 1_024 };
  test.each<[string, object, RegExp]>([
    ['no limit', { max_tokens: undefined }, /max_tokens: Field required/],
    ['no message', { messages: [] }, /at least one message/],
    ['an unknown field', { colour: 'red' }, /colour: Extra inputs are not permitted/],
    [
      'a temperature while it thinks',
      { temperature: 0.5, thinking: { ...thought, type: 'enabled' } },
      /may only be set to 1/,
    ],
    [
      'a temperature and a probability',
      { temperature: 0.5, top_p: 0.5 },
      /cannot both be specified/,
    ],
    ['too hot a temperature', { temperature: 1.5 }, /range: 0\.\.1/],
    [
      'a budget of thoughts beyond the limit',
      { max_tokens: 1_024, thinking: { ...thought, type: 'enabled' } },
      /must be greater than/,
    ],
    [
      'a result without its call',
      { messages: [{ role: 'user', content: [result] }] },
      /unexpected `tool_use_id`/,
    ],
    [
      'a call without its result',
      { messages: [user('x'), { role: 'assistant', content: [call] }, user('y')] },
      /without `tool_result`/,
    ],
    [
      'a call at the end',
      { messages: [user('x'), { role: 'assistant', content: [call] }] },
      /without `tool_result`/,
    ],
    [
      'an assistant that speaks first',
      { messages: [{ role: 'assistant', content: 'x' }] },
      /first message must use the/,
    ],
    [
      'white space at the end',
      { messages: [user('x'), { role: 'assistant', content: 'y ' }] },
      /trailing whitespace/,
    ],
    [
      'thoughts lost in the middle of a turn',
      {
        thinking: { ...thought, type: 'enabled' },
        messages: [
          user('x'),
          { role: 'assistant', content: [call] },
          { role: 'user', content: [result] },
        ],
      },
      /must start with a thinking block/,
    ],
    [
      'an empty text',
      { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      /non-empty/,
    ],
    ['two tools of one name', { tools: [...tools, ...tools] }, /must be unique/],
    ['a tool without a schema', { tools: [{ name: 'f' }] }, /input_schema/],
    [
      'an open schema for the answer',
      {
        output_config: {
          format: { type: 'json_schema', schema: { type: 'object', properties: {} } },
        },
      },
      /additionalProperties/,
    ],
    [
      'five cache marks',
      {
        system: ['a', 'b', 'c', 'd', 'e'].map((text) => ({
          type: 'text',
          text,
          cache_control: { type: 'ephemeral' },
        })),
      },
      /maximum of 4 blocks/,
    ],
  ])('is refused as the provider does it: %s', async (_, fields, message) => {
    const body = { ...asked, messages: [user('x')], ...fields };
    const error: unknown = await anthropic.messages.create(body).catch((reason: unknown) => reason);
    ok(error instanceof Anthropic.BadRequestError, String(error));
    match(error.message, message);
    equal(error.type, 'invalid_request_error');
  });
});

describe('the SDK of Google', () => {
  const model = 'gemini';
  const tools = [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: schema }] }];

  test('reads an answer and its usage, whole and streamed', async () => {
    const whole = await google.models.generateContent({ model, contents: 'One two three' });
    equal(whole.text, 'You said: One two three');
    ok((whole.usageMetadata?.promptTokenCount ?? 0) > 0);
    let said = '';
    let total = 0;
    for await (const chunk of await google.models.generateContentStream({
      model,
      contents: 'One two three',
    })) {
      said += chunk.text ?? '';
      total = chunk.usageMetadata?.totalTokenCount ?? total;
    }
    equal(said, whole.text);
    equal(total, whole.usageMetadata?.totalTokenCount);
  });

  test('thinks, calls a function, and gives both back', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'call get_weather' }] }];
    const config = { tools, thinkingConfig: { thinkingBudget: 1_024, includeThoughts: true } };
    const first = await google.models.generateContent({ model, contents, config });
    deepEqual(
      first.functionCalls?.map(({ name, args }) => [name, args]),
      [['get_weather', { city: 'text' }]],
    );
    const said = first.candidates?.[0]?.content;
    ok(said);
    ok(said.parts?.some(({ thought }) => thought));
    const answer = { functionResponse: { name: 'get_weather', response: { output: 'sunny' } } };
    const second = await google.models.generateContent({
      model,
      contents: [...contents, said, { role: 'user', parts: [answer] }],
      config: { tools },
    });
    equal(second.text, 'The tool answered: sunny');
  });

  test('knows a refusal by its status', async () => {
    const asked = google.models.generateContent({ model: 'sim-error-429', contents: 'x' });
    const error: unknown = await asked.catch((reason: unknown) => reason);
    ok(error instanceof ApiError);
    equal(error.status, 429);
    match(error.message, /RESOURCE_EXHAUSTED/);
  });

  const user = { role: 'user', parts: [{ text: 'x' }] };
  const called = { role: 'model', parts: [{ functionCall: { name: 'get_weather', args: {} } }] };
  test.each<[string, object, RegExp]>([
    ['nothing', { contents: [] }, /contents is not specified/],
    ['an unknown field', { colour: 'red' }, /Unknown name \\?"colour\\?"/],
    ['an unknown setting', { generationConfig: { colour: 1 } }, /Unknown name \\?"colour\\?"/],
    ['an empty content', { contents: [{ role: 'user', parts: [] }] }, /must not be empty/],
    ['an unknown role', { contents: [{ role: 'system', parts: [{ text: 'x' }] }] }, /valid role/],
    [
      'a model that speaks first',
      { contents: [called] },
      /function call turn comes immediately after a user turn/,
    ],
    [
      'a call without its answer',
      { contents: [user, called, user] },
      /number of function response parts/,
    ],
    [
      'an answer without its call',
      { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }] },
      /number of function response parts/,
    ],
    [
      'a function that is not declared',
      {
        toolConfig: {
          functionCallingConfig: {
            mode: FunctionCallingConfigMode.ANY,
            allowedFunctionNames: ['g'],
          },
        },
      },
      /allowed_function_names/,
    ],
    [
      'a schema for plain text',
      { generationConfig: { responseJsonSchema: schema } },
      /application\/json/,
    ],
  ])('is refused as the provider does it: %s', async (_, fields, message) => {
    const response = await fetch(`${simulator.url}/models/${model}:generateContent`, {
      method: 'POST',
      body: JSON.stringify({ contents: [user], ...fields }),
    });
    const body = (await response.json()) as {
      error: { code: number; status: string; message: string };
    };
    deepEqual(
      [response.status, body.error.code, body.error.status],
      [400, 400, 'INVALID_ARGUMENT'],
    );
    match(body.error.message, message);
  });
});

describe('the SDK of OpenAI', () => {
  const model = 'echo';
  const user = { role: 'user', content: 'x' } as const;
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

  test.each<[string, object, RegExp]>([
    ['an unknown field', { colour: 'red' }, /Unrecognized request argument supplied: colour/],
    ['no message', { messages: [] }, /non-empty/],
    [
      'an answer without its call',
      { messages: [user, { role: 'tool', tool_call_id: 'c', content: 'x' }] },
      /must be a response to a preceding message with 'tool_calls'/,
    ],
    [
      'a call without its answer',
      { messages: [user, { role: 'assistant', content: null, tool_calls: [call] }, user] },
      /must be followed by tool messages/,
    ],
    [
      'options of a stream that is none',
      { stream_options: { include_usage: true } },
      /only allowed when 'stream' is enabled/,
    ],
    ['a choice among no tools', { tool_choice: 'auto' }, /only allowed when 'tools' are specified/],
    ['two limits', { max_tokens: 1, max_completion_tokens: 1 }, /both/],
    ['a tool of no kind', { tools: [{ type: 'nail' }] }, /must be a function/],
    ['too hot a temperature', { temperature: 3 }, /temperature/],
    [
      'a schema without a name',
      { response_format: { type: 'json_schema', json_schema: { schema } } },
      /name/,
    ],
  ])('is refused in chat as the provider does it: %s', async (_, fields, message) => {
    const body = { model, messages: [user], ...fields };
    const error: unknown = await openai.chat.completions
      .create(body)
      .catch((reason: unknown) => reason);
    ok(error instanceof OpenAI.BadRequestError, String(error));
    match(error.message, message);
    equal(error.type, 'invalid_request_error');
  });

  test.each<[string, object, RegExp]>([
    ['an unknown field', { colour: 'red' }, /Unknown parameter: 'colour'/],
    ['an unknown item', { input: [{ type: 'dream' }] }, /dream/],
    [
      'an output without its call',
      { input: [{ type: 'function_call_output', call_id: 'c', output: '' }] },
      /No tool call found for function call output with call_id c/,
    ],
    [
      'a call without its output',
      { input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }, user] },
      /No tool output found for function call c/,
    ],
    [
      'a choice of a tool that is not there',
      { tool_choice: { type: 'function', name: 'f' } },
      /not found in 'tools'/,
    ],
    ['too hot a temperature', { temperature: 3 }, /temperature/],
  ])('is refused in responses as the provider does it: %s', async (_, fields, message) => {
    const body = { model, input: 'x', ...fields };
    const error: unknown = await openai.responses.create(body).catch((reason: unknown) => reason);
    ok(error instanceof OpenAI.BadRequestError, String(error));
    match(error.message, message);
  });

  test('has its stream helpers satisfied', async () => {
    const chat = await openai.chat.completions
      .stream({
        model,
        messages: [{ role: 'user', content: 'One two three' }],
        stream_options: { include_usage: true },
      })
      .finalChatCompletion();
    equal(chat.choices[0]?.message.content, 'You said: One two three');
    ok((chat.usage?.completion_tokens ?? 0) > 0);
    const response = await openai.responses
      .stream({ model, input: 'One two three' })
      .finalResponse();
    equal(response.output_text, 'You said: One two three');
  });
});

describe('vectors', () => {
  const model = 'embedding';
  const contents = ['One two three', 'four'];

  test('are read by the SDK of OpenAI, which asks for base64, and by that of Google', async () => {
    const { data, usage } = await openai.embeddings.create({ model, input: contents });
    const vectors = data.map(({ embedding }) => [...embedding]);
    deepEqual([usage.prompt_tokens, usage.total_tokens], [5, 5]);
    const plain = { model, input: contents, encoding_format: 'float' } as const;
    const numbers = (await openai.embeddings.create(plain)).data;
    deepEqual(
      numbers.map(({ embedding }) => embedding),
      vectors,
    );
    const { embeddings, usageMetadata } = await google.models.embedContent({ model, contents });
    deepEqual(
      embeddings?.map(({ values }) => values),
      vectors,
    );
    equal(usageMetadata?.promptTokenCount, 5);
  });

  test('are as long as was asked for, of tokens too, and refused as the providers do it', async () => {
    const create = (fields: object) => openai.embeddings.create({ model, input: 'x', ...fields });
    equal((await create({ dimensions: 3 })).data[0]?.embedding.length, 3);
    equal((await create({ input: [[1, 2], [3]] })).usage.prompt_tokens, 3);
    const config = { outputDimensionality: 3 };
    const short = await google.models.embedContent({ model, contents: 'x', config });
    equal(short.embeddings?.[0]?.values?.length, 3);
    for (const fields of [
      { input: '' },
      { input: [] },
      { input: ['a', ''] },
      { dimensions: 0 },
      { encoding_format: 'int8' },
      { input_type: 'query' },
    ])
      await rejects(create(fields), OpenAI.BadRequestError, JSON.stringify(fields));
    const many = Array.from({ length: 101 }, () => 'x');
    await rejects(google.models.embedContent({ model, contents: many }), ApiError);
  });
});
