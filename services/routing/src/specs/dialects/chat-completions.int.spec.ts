import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Chunk, readChunks } from '@sluice/testing/chat-stream';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { receiptOf } from '../../testing/receipt-of.ts';
import {
  errorOf,
  routingHarness,
  type RoutingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

interface Message {
  readonly content: string | null;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly object[];
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}
interface Completion {
  readonly id: string;
  readonly choices: readonly [{ readonly message: Message; readonly finish_reason: string }];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly cost: number;
  };
}

const dialect = 'chat-completions';
const user = (content: unknown) => ({ role: 'user', content });
const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

async function whole(body: object): Promise<Completion> {
  const reply = await routing.call(body, { dialect });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const completion = JSON.parse(text) as Completion;
  equal(completion.id, reply.headers['x-generation-id']);
  return completion;
}

async function chunksOf(body: object): Promise<readonly Chunk[]> {
  return readChunks(await textOf(await routing.call({ ...body, stream: true }, { dialect })));
}

const joined = (chunks: readonly Chunk[], name: 'content' | 'reasoning') =>
  chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta[name] ?? '')).join('');

describe.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])('%s', (model) => {
  test.each<[string, object]>([
    ['a text', { messages: [user('hello there')] }],
    [
      'thoughts',
      { messages: [user('hm')], reasoning: { effort: 'high' }, max_completion_tokens: 4_000 },
    ],
    [
      'a picture',
      {
        messages: [
          user([
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
            { type: 'text', text: 'what?' },
          ]),
        ],
      },
    ],
  ])('says the same streamed and whole, and books it: %s', async (_what, fields) => {
    const body = { model, ...fields };
    const { id, choices, usage } = await whole(body);
    const [{ message, finish_reason: reason }] = choices;
    const chunks = await chunksOf(body);
    equal(joined(chunks, 'content'), message.content);
    equal(joined(chunks, 'reasoning'), message.reasoning ?? '');
    equal(reason, 'stop');
    const receipt = await receiptOf(routing, id);
    deepEqual(
      [usage.prompt_tokens, usage.completion_tokens],
      [receipt.input_tokens, receipt.output_tokens],
    );
    ok(usage.cost > 0);
  });

  test('takes a tool back, with the thoughts before it', async () => {
    const asked = {
      model,
      tools: [weather],
      reasoning: { effort: 'low' },
      max_completion_tokens: 8_000,
    };
    const first = await whole({ ...asked, messages: [user('call get_weather')] });
    const [{ message, finish_reason: reason }] = first.choices;
    equal(reason, 'tool_calls');
    const [call] = message.tool_calls ?? [];
    equal(call?.function.name, 'get_weather');
    deepEqual(JSON.parse(call.function.arguments), { city: 'text' });
    const messages = [
      user('call get_weather'),
      message,
      { role: 'tool', tool_call_id: call.id, content: 'sunny' },
    ];
    const second = await whole({ ...asked, messages });
    equal(second.choices[0].message.content, 'The tool answered: sunny');
  });

  test('takes a picture of the model back', async () => {
    const url = 'data:image/png;base64,aGk=';
    const drawn = {
      role: 'assistant',
      content: 'Here it is',
      images: [{ type: 'image_url', image_url: { url } }],
    };
    for (const messages of [
      [user('draw'), drawn],
      [user('draw'), drawn, user('bluer')],
    ])
      equal((await whole({ model, messages })).choices[0].finish_reason, 'stop');
  });

  test('ends a cut answer with its reason', async () => {
    const body = { model, messages: [user('one two three four')], max_tokens: 2 };
    equal((await whole(body)).choices[0].finish_reason, 'length');
    const [end, last] = (await chunksOf(body)).slice(-2);
    equal(end?.choices[0]?.finish_reason, 'length');
    deepEqual(last?.choices, []);
  });
});

test.each<[string, string, string | undefined]>([
  ['sim/echo', 'stop', 'stop without effect: no endpoint of the model takes it'],
  ['sim/messages', 'seed', 'seed without effect: no endpoint of the model takes it'],
  ['sim/chat', 'stop', undefined],
])('the warnings of %s name a parameter that nobody takes: %s', async (model, name, warning) => {
  const fields = { [name]: name === 'seed' ? 1 : ['x'] };
  const body = { model, messages: [user('a')], ...fields };
  const { headers } = await routing.call(body, { dialect });
  equal(headers['x-service-warnings'], warning);
});

test('an error is that of /responses', async () => {
  const reply = await routing.call({ model: 'nobody/none', messages: [user('a')] }, { dialect });
  equal(reply.status, 400);
  const { metadata, availability } = await errorOf(reply);
  deepEqual(
    [metadata['error_type'], availability?.['code']],
    ['invalid_request', 'model_not_found'],
  );
});

test('the first chunk of a debugged stream has no choice, but the body that was sent', async () => {
  const body = { model: 'sim/chat', messages: [user('a')], debug: { echo_upstream_body: true } };
  const [first] = await chunksOf(body);
  equal(first?.choices.length, 0);
  ok(first.debug?.['echo_upstream_body']);
});

test('a function of the form before tools is called in that form', async () => {
  const { choices } = await whole({
    model: 'sim/chat',
    messages: [user('call get_weather')],
    functions: [weather.function],
  });
  const [{ message, finish_reason: reason }] = choices;
  equal(reason, 'function_call');
  deepEqual(message, {
    role: 'assistant',
    content: null,
    refusal: null,
    function_call: { name: 'get_weather', arguments: '{"city":"text"}' },
  });
});
