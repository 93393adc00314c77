import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { checkedMessages } from '@sluice/testing/messages-stream';
import { beforeAll, describe, test } from 'vitest';
import { eventually, json } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

/** `fetch`, whose streams of messages are checked as they pass. */
async function checkedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const { status, statusText, headers } = response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!response.body || !isStream) return response;
  const generationId = headers.get('x-generation-id') ?? undefined;
  const body = ReadableStream.from(checkedMessages(response.body, { generationId }));
  return new Response(body, { status, statusText, headers });
}

let sluice: Running;
let client: Anthropic;

beforeAll(async () => {
  sluice = await sharedInstance();
  const { base_url: versioned, api_key: apiKey } = sluice.bootstrap;
  const baseURL = versioned.replace(/\/v1$/, '');
  client = new Anthropic({ baseURL, apiKey, fetch: checkedFetch, maxRetries: 0 });
});

const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const clock: Anthropic.Tool = {
  name: 'get_time',
  input_schema: { type: 'object', properties: {} },
};
const user = (content: Anthropic.MessageParam['content']) => ({ role: 'user' as const, content });
const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

/** One pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** One model for each language that we speak to providers. */
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];

describe.each(models)('the Anthropic SDK with %s', (model) => {
  const max_tokens = 8_000;

  test('its stream helper collects the message that comes whole', async () => {
    const asked = { model, max_tokens, messages: [user('One two three')] };
    const whole = await client.messages.create(asked);
    equal(textOf(whole), 'You said: One two three');
    deepEqual([whole.role, whole.stop_reason], ['assistant', 'end_turn']);
    const stream = client.messages.stream(asked);
    const deltas: string[] = [];
    stream.on('text', (delta) => void deltas.push(delta));
    const collected = await stream.finalMessage();
    equal(deltas.join(''), textOf(whole));
    equal(textOf(collected), textOf(whole));
    equal(collected.stop_reason, 'end_turn');
    equal(collected.usage.output_tokens, whole.usage.output_tokens);
    equal(collected.usage.input_tokens, whole.usage.input_tokens);
  });

  test('searches the web, streamed and whole, and sends the search back', async () => {
    const tools: Anthropic.WebSearchTool20250305[] = [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
    ];
    const question = user('Please call service_web_search');
    const asked = { model, max_tokens, tools, messages: [question] };
    const whole = await client.messages.create(asked);
    const streamed = await client.messages.stream(asked).finalMessage();
    for (const message of [whole, streamed]) {
      const call = message.content.find((block) => block.type === 'server_tool_use');
      const result = message.content.find((block) => block.type === 'web_search_tool_result');
      equal(call?.name, 'web_search');
      equal(result?.tool_use_id, call.id);
      ok(Array.isArray(result.content));
      equal(message.stop_reason, 'end_turn');
      match(textOf(message), /The tool answered/);
      const messages = [
        question,
        { role: 'assistant' as const, content: message.content },
        user('Thanks'),
      ];
      equal(textOf(await client.messages.create({ ...asked, messages })), 'You said: Thanks');
    }
  });

  test('searches the web when it must, as Claude Code does for its own tool', async () => {
    const stream = client.messages.stream({
      model,
      max_tokens,
      system: 'You are an assistant for performing a web search tool use',
      messages: [user('Perform a web search for the query: printers')],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }],
      tool_choice: { type: 'tool', name: 'web_search' },
    });
    const { content, stop_reason } = await stream.finalMessage();
    const kinds = content.map(({ type }) => type);
    ok(kinds.includes('server_tool_use') && kinds.includes('web_search_tool_result'), kinds.join());
    equal(stop_reason, 'end_turn');
  });

  test('makes parallel calls after a thought, and takes both back', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1_024 } as const;
    const asked = { model, max_tokens, thinking, tools: [weather, clock] };
    const question = user('Please call get_weather and call get_time');
    const stream = client.messages.stream({ ...asked, messages: [question] });
    const called = await stream.finalMessage();
    equal(called.stop_reason, 'tool_use');
    const calls = called.content.filter((block) => block.type === 'tool_use');
    deepEqual(
      calls.map(({ name, input }) => [name, input]),
      [
        ['get_weather', { city: 'text' }],
        ['get_time', {}],
      ],
    );
    const [thought] = called.content;
    ok(thought?.type === 'thinking' && thought.thinking !== '');
    // The chat format has no signatures.
    equal(thought.signature === '', model === 'sim/chat');
    const results = calls.map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: [{ type: 'text' as const, text: 'sunny' }],
    }));
    const messages = [question, { role: 'assistant' as const, content: called.content }];
    const answer = await client.messages.create({
      ...asked,
      messages: [...messages, user(results)],
    });
    match(textOf(answer), /sunny/);
  });

  test('sees pictures, a system prompt and a cached prefix', async () => {
    const answer = await client.messages.create({
      model,
      max_tokens,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        user([
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          { type: 'text', text: 'What is it?' },
        ]),
      ],
    });
    match(textOf(answer), /What is it\?/);
    ok(answer.usage.output_tokens > 0);
  });

  test('is told of a cut answer, and of one that breaks', async () => {
    const cut = await client.messages.create({
      model,
      max_tokens: 2,
      messages: [user('one two three four')],
    });
    equal(cut.stop_reason, 'max_tokens');
    const stream = client.messages.stream({
      model,
      max_tokens,
      messages: [user('[sim:words-50] [sim:cut-5]')],
    });
    const outcome = await stream.finalMessage().catch((error: unknown) => error);
    ok(outcome instanceof Anthropic.APIError, String(outcome));
    equal(outcome.type, 'api_error');
  });
});

test('the tool runner goes on without threads, which are not kept', async () => {
  const asked: unknown[] = [];
  const runner = client.beta.messages.toolRunner({
    model: 'sim/messages',
    max_tokens: 1_000,
    messages: [user('Please call get_weather')],
    tools: [
      betaTool({
        name: 'get_weather',
        description: 'The weather of a city',
        inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
        run: (input) => {
          asked.push(input);
          return 'sunny';
        },
      }),
    ],
  });
  const answer = await runner;
  deepEqual(asked, [{ city: 'text' }]);
  match(answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(''), /sunny/);
});

test('tokens are counted before they are asked for', async () => {
  const messages = [user('hello there')];
  const { input_tokens: tokens } = await client.messages.countTokens({
    model: 'sim/messages',
    messages,
  });
  ok(tokens > 0);
});

test('both base URLs and both kinds of keys are taken, and the answer is accounted for', async () => {
  const { base_url: baseURL, api_key: authToken } = sluice.bootstrap;
  const bearer = new Anthropic({ baseURL, authToken, apiKey: null, maxRetries: 0 });
  const { data, response } = await bearer.messages
    .create({ model: 'sim/echo', max_tokens: 100, messages: [user('hello')] })
    .withResponse();
  equal(textOf(data), 'You said: hello');
  const id = response.headers.get('x-generation-id') ?? '';
  const { body } = await eventually(
    () => json(sluice, `/generation?id=${id}`),
    ({ status }) => status === 200,
  );
  equal(body['data']?.['native_tokens_completion'], data.usage.output_tokens);
});

test('the SDK lists the models page by page, and retrieves each', async () => {
  const listed: Anthropic.ModelInfo[] = [];
  for await (const model of client.models.list({ limit: 2 })) listed.push(model);
  for (const model of models) {
    const found = listed.find(({ id }) => id === model);
    ok(found, model);
    deepEqual(await client.models.retrieve(model), found);
    deepEqual([found.type, found.lifecycle], ['model', 'active']);
    ok((found.max_input_tokens ?? 0) > 0);
  }
  await rejects(client.models.retrieve('no/such'), Anthropic.NotFoundError);
});

describe('errors', () => {
  const ask = (content: string, fields: object = {}) =>
    client.messages.create({
      model: 'sim/echo',
      max_tokens: 100,
      messages: [user(content)],
      ...fields,
    });

  test('come as the classes of the SDK', async () => {
    const stranger = client.withOptions({ apiKey: 'sk-unknown' });
    const messages = [user('x')];
    await rejects(
      stranger.messages.create({ model: 'sim/echo', max_tokens: 1, messages }),
      Anthropic.AuthenticationError,
    );
    const refused = await ask('x', { temperature: 9 }).catch((error: unknown) => error);
    ok(refused instanceof Anthropic.BadRequestError);
    equal(refused.type, 'invalid_request_error');
    match(refused.message, /temperature: must be at most 1/);
    await rejects(ask('[sim:error-429]'), { status: 429, type: 'rate_limit_error' });
    await rejects(ask('[sim:error-529]'), { status: 529, type: 'overloaded_error' });
    await rejects(ask('[sim:error-503]'), Anthropic.InternalServerError);
    await rejects(ask('x', { model: 'nobody/none' }), Anthropic.BadRequestError);
  });

  test('say that the time of the client is up', async () => {
    await rejects(
      client.messages.create(
        { model: 'sim/echo', max_tokens: 10, messages: [user('[sim:hang]')] },
        { timeout: 300 },
      ),
      Anthropic.APIConnectionTimeoutError,
    );
  });
});
