import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  type Message,
  type MessageEvent,
  messageEventsOf,
  user,
  weather,
} from '../../testing/messages-answers.ts';
import { receiptOf } from '../../testing/receipt-of.ts';
import { routingHarness, type RoutingHarness, textOf } from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const dialect = 'messages';

async function whole(body: object): Promise<Message & { readonly generationId: string }> {
  const reply = await routing.call(body, { dialect });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const generationId = reply.headers['x-generation-id'] ?? '';
  return { ...(JSON.parse(text) as Message), generationId };
}

async function eventsOf(body: object): Promise<readonly MessageEvent[]> {
  const text = await textOf(await routing.call({ ...body, stream: true }, { dialect }));
  return messageEventsOf(text);
}

const said = (events: readonly MessageEvent[], name: 'text' | 'thinking') =>
  events.map(({ delta }) => delta?.[name] ?? '').join('');
const told = ({ content }: Message, name: 'text' | 'thinking') =>
  content.map((block) => block[name] ?? '').join('');

describe.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])('%s', (model) => {
  test.each<[string, object]>([
    ['a text', { messages: [user('hello there')] }],
    ['thoughts', { messages: [user('hm')], thinking: { type: 'enabled', budget_tokens: 1_024 } }],
    [
      'a picture',
      {
        messages: [
          user([
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
            { type: 'text', text: 'what?' },
          ]),
        ],
      },
    ],
  ])('says the same streamed and whole, and books it: %s', async (_what, fields) => {
    const body = { model, max_tokens: 4_000, ...fields };
    const message = await whole(body);
    const events = await eventsOf(body);
    equal(said(events, 'text'), told(message, 'text'));
    equal(said(events, 'thinking'), told(message, 'thinking'));
    equal(message.stop_reason, 'end_turn');
    deepEqual([events[0]?.type, events.at(-1)?.type], ['message_start', 'message_stop']);
    ok((events[0]?.message?.usage.input_tokens ?? 0) > 0, 'clients show how full the context is');
    equal(events.at(-2)?.delta?.stop_reason, 'end_turn');
    const receipt = await receiptOf(routing, message.generationId);
    const { usage } = message;
    deepEqual(
      [usage.input_tokens + usage.cache_read_input_tokens, usage.output_tokens],
      [receipt.input_tokens, receipt.output_tokens],
    );
    ok(usage.cost > 0);
  });

  test('takes a tool back, with the thoughts before it', async () => {
    const asked = {
      model,
      max_tokens: 8_000,
      tools: [weather],
      thinking: { type: 'enabled', budget_tokens: 1_024 },
    };
    const first = await whole({ ...asked, messages: [user('call get_weather')] });
    equal(first.stop_reason, 'tool_use');
    const call = first.content.find(({ type }) => type === 'tool_use');
    deepEqual(call?.input, { city: 'text' });
    const events = await eventsOf({ ...asked, messages: [user('call get_weather')] });
    const json = events.map(({ delta }) => delta?.partial_json ?? '').join('');
    deepEqual(JSON.parse(json), { city: 'text' });
    const messages = [
      user('call get_weather'),
      { role: 'assistant', content: first.content },
      user([{ type: 'tool_result', tool_use_id: call.id, content: 'sunny' }]),
    ];
    const second = await whole({ ...asked, messages });
    equal(told(second, 'text'), 'The tool answered: sunny');
  });

  test('ends before a stop sequence, which is named where the provider names it', async () => {
    const body = { model, max_tokens: 50, stop_sequences: ['two', 'zero'] };
    const asked = { ...body, messages: [user('one two three')] };
    const message = await whole(asked);
    const events = await eventsOf(asked);
    const end = events.find(({ type }) => type === 'message_delta')?.delta;
    const [reason, sequence, text] =
      model === 'sim/messages'
        ? ['stop_sequence', 'two', 'You said: one ']
        : ['end_turn', null, model === 'sim/echo' ? 'You said: one two three' : 'You said: one '];
    deepEqual([message.stop_reason, message.stop_sequence], [reason, sequence]);
    deepEqual([end?.stop_reason, end?.stop_sequence], [reason, sequence]);
    deepEqual([told(message, 'text'), said(events, 'text')], [text, text]);
  });

  test('ends a cut answer with its reason', async () => {
    const body = { model, messages: [user('one two three four')], max_tokens: 2 };
    equal((await whole(body)).stop_reason, 'max_tokens');
    equal((await eventsOf(body)).at(-2)?.delta?.stop_reason, 'max_tokens');
  });
});

describe('a tool that Anthropic defines', () => {
  const bash = { type: 'bash_20250124', name: 'bash' };
  const asked = { max_tokens: 50, messages: [user('call bash')] };

  test('is called by a model that knows it', async () => {
    const { content, stop_reason: reason } = await whole({
      ...asked,
      model: 'sim/messages',
      tools: [bash],
      tool_choice: { type: 'tool', name: 'bash' },
    });
    deepEqual(
      [content.map(({ type, name }) => [type, name]), reason],
      [[['tool_use', 'bash']], 'tool_use'],
    );
  });
});

test.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])(
  'a user who says nothing takes a turn of %s',
  async (model) => {
    for (const content of ['', [], [{ type: 'text', text: '' }]]) {
      const { stop_reason: reason } = await whole({
        model,
        max_tokens: 50,
        messages: [user('a'), { role: 'assistant', content: 'b' }, user(content)],
      });
      equal(reason, 'end_turn');
    }
  },
);

test('an error has the form of this format', async () => {
  const reply = await routing.call({ model: 'nobody/none', messages: [user('a')] }, { dialect });
  equal(reply.status, 400);
  deepEqual(JSON.parse(await textOf(reply)), {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'nobody/none is not a valid model ID',
      error_type: 'invalid_request',
    },
    request_id: null,
  });
});

describe('a count of tokens', () => {
  const dialect = 'count-tokens';

  test('is of a model that exists', async () => {
    const reply = await routing.call({ model: 'no/such', messages: [user('a')] }, { dialect });
    const { error } = JSON.parse(await textOf(reply)) as { readonly error: { message: string } };
    deepEqual([reply.status, error.message], [400, 'no/such is not a valid model ID']);
  });

  test('refuses what a message refuses', async () => {
    const reply = await routing.call({ model: 'sim/echo', messages: 7 }, { dialect });
    equal(reply.status, 400);
    const { error } = JSON.parse(await textOf(reply)) as { readonly error: { message: string } };
    equal(error.message.startsWith('Invalid request: messages: '), true, error.message);
  });
});

test.each<[string, string, object, string]>([
  [
    'no thoughts of a model that always thinks',
    'sim/reasoning',
    { max_tokens: 2_000, thinking: { type: 'disabled' } },
    'thinking.type without effect: the model always thinks',
  ],
  [
    'more output than the model gives',
    'sim/messages',
    { max_tokens: 64_000 },
    'max_tokens lowered to 16384: the model gives no more',
  ],
  [
    'more thoughts than that, too',
    'sim/messages',
    { max_tokens: 64_000, thinking: { type: 'enabled', budget_tokens: 63_999 } },
    'max_tokens lowered to 16384: the model gives no more',
  ],
])('%s is a wish, and a warning', async (_what, model, settings, told) => {
  const body = { model, messages: [user('hm')], ...settings };
  const reply = await routing.call(body, { dialect });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  equal(reply.headers['x-service-warnings'], told);
});
