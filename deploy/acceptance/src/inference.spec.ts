import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { checkedFetch } from '@sluice/testing/response-stream';
import OpenAI from 'openai';
import { beforeAll, describe, test } from 'vitest';
import { json, list, raw, streamed, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
let client: OpenAI;

beforeAll(async () => {
  sluice = await sharedInstance();
  client = new OpenAI({
    baseURL: sluice.bootstrap.base_url,
    apiKey: sluice.bootstrap.api_key,
    fetch: checkedFetch,
    maxRetries: 0,
  });
});

const weather = {
  type: 'function' as const,
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
};

for (const model of ['sim/echo', 'sim/echo-chat'])
  describe(`the OpenAI SDK with ${model}`, () => {
    test('creates a response with text, usage and cost', async () => {
      const response = await client.responses.create({
        model,
        input: 'Hello, Sluice',
        instructions: 'Be brief.',
        temperature: 0.5,
        top_p: 0.9,
        max_output_tokens: 100,
        metadata: { ticket: '42' },
      });
      equal(response.object, 'response');
      equal(response.status, 'completed');
      equal(response.output_text, 'You said: Hello, Sluice');
      match(response.id, /^resp_/);
      equal(response.model, model);
      equal(response.temperature, 0.5);
      deepEqual(response.metadata, { ticket: '42' });
      const usage = response.usage as unknown as { cost: number } & NonNullable<
        typeof response.usage
      >;
      ok(usage.input_tokens > 0 && usage.output_tokens > 0);
      equal(usage.total_tokens, usage.input_tokens + usage.output_tokens);
      ok(usage.cost > 0, `cost ${usage.cost}`);
    });

    test('streams the same text that the whole answer has', async () => {
      const stream = await client.responses.create({ model, input: 'One two three', stream: true });
      let said = '';
      let completed: string | undefined;
      for await (const event of stream) {
        if (event.type === 'response.output_text.delta') said += event.delta;
        if (event.type === 'response.completed') completed = event.response.status;
      }
      equal(said, 'You said: One two three');
      equal(completed, 'completed');
    });

    test('calls a function and takes its output back', async () => {
      const first = await client.responses.create({
        model,
        input: 'Please call get_weather',
        tools: [weather],
      });
      const call = first.output.find((item) => item.type === 'function_call');
      ok(call, JSON.stringify(first.output));
      equal(call.name, 'get_weather');
      ok('city' in (JSON.parse(call.arguments) as object));
      const second = await client.responses.create({
        model,
        input: [
          { role: 'user', content: 'Please call get_weather' },
          call,
          { type: 'function_call_output', call_id: call.call_id, output: 'sunny' },
        ],
        tools: [weather],
      });
      equal(second.output_text, 'The tool answered: sunny');
    });

    test('is told that the output limit ended the answer', async () => {
      const response = await client.responses.create({
        model,
        input: '[sim:words-200]',
        max_output_tokens: 16,
      });
      equal(response.status, 'incomplete');
      deepEqual(response.incomplete_details, { reason: 'max_output_tokens' });
      deepEqual(
        response.output.map((item) => 'status' in item && item.status),
        ['incomplete'],
      );
    });
  });

describe('the errors of the SDK', () => {
  test('have the class of their status', async () => {
    const stranger = new OpenAI({
      baseURL: sluice.bootstrap.base_url,
      apiKey: 'nonsense',
      fetch: checkedFetch,
      maxRetries: 0,
    });
    const input = 'x';
    await rejects(
      stranger.responses.create({ model: 'sim/echo', input }),
      OpenAI.AuthenticationError,
    );
    await rejects(client.responses.create({ model: 'no/such', input }), OpenAI.BadRequestError);
    const limited = { model: 'sim/echo', input: '[sim:error-429]' };
    await rejects(client.responses.create(limited), OpenAI.RateLimitError);
    const broken = { model: 'sim/echo', input: '[sim:error-500]' };
    await rejects(client.responses.create(broken), OpenAI.InternalServerError);
  });
});

describe('a stream', () => {
  const stream = async (input: string) =>
    await streamed(
      await raw(sluice, '/responses', { body: { model: 'sim/echo', input, stream: true } }),
    );

  test('has the events of a message in their order, numbered without a gap', async () => {
    const { events, done } = await stream('a b');
    const names = events.map(({ data }) => text(data?.['type']));
    const deltas = names.filter((name) => name === 'response.output_text.delta');
    ok(deltas.length > 1);
    deepEqual(names, [
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      ...deltas,
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    deepEqual(
      events.map(({ data }) => Number(data?.['sequence_number'])),
      events.map((_, index) => index),
    );
    deepEqual(
      events.map(({ name }) => name),
      names,
    );
    ok(done);
  });

  test('says the same in its deltas, in its end and in its last snapshot', async () => {
    const { events } = await stream('All the same');
    const of = (type: string) => events.filter(({ data }) => text(data['type']) === type);
    const said = of('response.output_text.delta')
      .map(({ data }) => text(data?.['delta']))
      .join('');
    equal(of('response.output_text.done')[0]?.data?.['text'], said);
    const last = events.at(-1)?.data?.['response'];
    equal(last?.['output']?.[0]?.['content']?.[0]?.['text'], said);
    ok(Number(last?.['usage']?.['cost']) > 0);
    const added = of('response.output_item.added')[0]?.data?.['item']?.['id'];
    equal(last?.['output']?.[0]?.['id'], added);
  });

  test('that is cut upstream ends in response.failed with what came until then', async () => {
    const { events, done } = await stream('[sim:words-50] [sim:cut-5]');
    const last = events.at(-1)?.data;
    equal(last?.['type'], 'response.failed');
    equal(last?.['response']?.['status'], 'failed');
    equal(last?.['response']?.['error']?.['code'], 'server_error');
    equal(last?.['response']?.['error_type'], 'provider_unavailable');
    ok(text(last?.['response']?.['output']?.[0]?.['content']?.[0]?.['text']).length > 0);
    ok(done);
  });

  test('says first what was sent to the provider, to whoever asks for it', async () => {
    const debug = { echo_upstream_body: true };
    const body = { model: 'sim/chat', input: 'hello', stream: true, debug };
    const { events } = await streamed(await raw(sluice, '/responses', { body }));
    deepEqual(
      events.slice(0, 3).map(({ name }) => name),
      ['response.debug', 'response.created', 'response.in_progress'],
    );
    const sent = events[0]?.data['debug']?.['echo_upstream_body'];
    deepEqual(sent?.['messages'], [{ role: 'user', content: 'hello' }]);
  });

  test('that fails before its first output is an HTTP error', async () => {
    const body = { model: 'sim/echo', input: '[sim:error-503]', stream: true };
    const { status } = await json(sluice, '/responses', { body });
    equal(status, 503);
  });
});

test('the models are listed for everyone, priced', async () => {
  const { status, body } = await json(sluice, '/models', { key: null });
  equal(status, 200);
  const echo = list(body['data']).find(({ id }) => text(id) === 'sim/echo');
  ok(Number(echo?.['pricing']?.['prompt']) > 0);
  ok(Number(echo?.['pricing']?.['completion']) > 0);
});

test('each reply names the generation and the request', async () => {
  const reply = await json(sluice, '/responses', { body: { model: 'sim/echo', input: 'x' } });
  match(reply.headers.get('x-generation-id') ?? '', /^gen-/);
  match(reply.headers.get('x-request-id') ?? '', /^req-/);
  equal(
    text(reply.body['id']).slice('resp_'.length),
    reply.headers.get('x-generation-id')?.slice('gen-'.length),
  );
});
