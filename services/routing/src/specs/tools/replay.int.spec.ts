import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  errorOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// A client sends the items of server tools again with its next request.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const tools = [{ type: 'service:datetime' }];
const item = {
  type: 'service:datetime',
  id: 'st_1',
  status: 'completed',
  datetime: '2026-11-26T12:00:00.000+00:00',
  timezone: 'UTC',
};
const asked = { role: 'user', content: 'the time?' };

interface Sent {
  readonly debug: { readonly echo_upstream_body: Readonly<Record<string, unknown>> };
}

/** Returns the body that the provider got. */
async function sentFor(body: object): Promise<Readonly<Record<string, unknown>>> {
  const reply = await routing.call({ ...body, stream: true, debug: { echo_upstream_body: true } });
  const text = await textOf(reply);
  const line = text.split('\n').find((one) => one.startsWith('data: ') && one.includes('"debug"'));
  const event = JSON.parse(line?.slice('data: '.length) ?? text) as Sent;
  return event.debug.echo_upstream_body;
}

describe('an item of service:datetime', () => {
  test.each([
    ['sim/echo', /"call_id":"st_1","name":"service_datetime".*"output":"\{\\"datetime/],
    ['sim/chat', /"tool_call_id":"st_1"/],
    ['sim/messages', /"type":"tool_result","tool_use_id":"st_1"|"tool_use_id":"st_1"/],
    ['sim/gemini', /"functionResponse"/],
  ])('is a call with its output for %s', async (model, form) => {
    const sent = await sentFor({ model, tools, input: [asked, item, asked] });
    match(JSON.stringify(sent), form);
  });

  test('is a text if the request lacks the tool', async () => {
    const sent = await sentFor({ model: 'sim/echo', input: [asked, item, asked] });
    const { input } = sent as { readonly input: readonly { readonly type: string }[] };
    deepEqual(
      input.map(({ type }) => type),
      ['message', 'message', 'message'],
    );
    match(JSON.stringify(input[1]), /\[service:datetime\]/);
  });

  test('has an id of its own if the client dropped it', async () => {
    const { id: _id, ...nameless } = item;
    const sent = await sentFor({ model: 'sim/echo', tools, input: [asked, nameless, asked] });
    match(JSON.stringify(sent), /"call_id":"served_1"/);
  });
});

describe('a call that the service ran', () => {
  test.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])(
    'goes to %s again from each door that showed it',
    async (model) => {
      for (const dialect of ['chat-completions', 'messages'] as const) {
        const first = {
          model,
          tools,
          messages: [{ role: 'user', content: 'call service_datetime' }],
        };
        const more = dialect === 'messages' ? { max_tokens: 500 } : {};
        const reply = await routing.call({ ...first, ...more }, { dialect });
        const answer = JSON.parse(await textOf(reply)) as Answered;
        const message = answer.choices?.[0].message ?? {
          role: 'assistant',
          content: answer.content,
        };
        const messages = [...first.messages, message, { role: 'user', content: 'and now?' }];
        const spent = await routing.call({ model, tools, messages, ...more }, { dialect });
        const text = await textOf(spent);
        equal(spent.status, 200, text);
        const { usage } = JSON.parse(text) as Answered;
        const bare = [...first.messages, { role: 'assistant', content: 'late' }, messages.at(-1)];
        const without = await routing.call({ model, tools, messages: bare, ...more }, { dialect });
        const less = (JSON.parse(await textOf(without)) as Answered).usage;
        ok(
          (usage.input_tokens ?? usage.prompt_tokens ?? 0) >
            (less.input_tokens ?? less.prompt_tokens ?? 0) + 9,
        );
      }
    },
  );
});

interface Counts {
  readonly input_tokens?: number;
  readonly prompt_tokens?: number;
}

interface Answered {
  readonly choices?: readonly [{ readonly message: object }];
  readonly content?: unknown;
  readonly usage: Counts;
}

test('stop conditions without a server tool have no effect, and a header says so', async () => {
  const stop_server_tools_when = [{ type: 'step_count_is', step_count: 1 }];
  const reply = await routing.call({ model: 'sim/echo', input: 'x', stop_server_tools_when });
  equal(reply.status, 200);
  match(reply.headers['x-service-warnings'] ?? '', /stop_server_tools_when has no effect/);
});

test('an upstream gets the tool as a function, and no limit of ours', async () => {
  const body = { model: 'sim/echo', tools, input: 'x', max_tool_calls: 3 };
  const sent = await sentFor({
    ...body,
    stop_server_tools_when: [{ type: 'step_count_is', step_count: 2 }],
  });
  const [tool] = sent['tools'] as readonly Readonly<Record<string, unknown>>[];
  equal(tool?.['type'], 'function');
  equal(tool?.['name'], 'service_datetime');
  equal('max_tool_calls' in sent, false);
  equal(JSON.stringify(sent).includes('stop_server'), false);
});

describe('a tool that the workspace disabled', () => {
  test.each(['responses', 'chat-completions', 'messages'] as const)(
    'is a 403 at %s',
    async (dialect) => {
      routing.policies.disabledServerTools = ['service:datetime'];
      const principal = { accountId: 'a', workspaceId: 'w', keyHash: `k-${dialect}` } as const;
      const more = { limitNanoUsd: null, limitReset: null, includeByokInLimit: false };
      const body = { model: 'sim/echo', tools, messages: [asked], max_tokens: 9 };
      const { messages, ...rest } = body;
      const sent =
        dialect === 'responses'
          ? { model: 'sim/echo', tools, input: messages }
          : { ...rest, messages };
      const reply = await routing.call(sent, { dialect, principal: { ...principal, ...more } });
      routing.policies.disabledServerTools = [];
      equal(reply.status, 403);
      match(JSON.stringify(await errorOf(reply)), /does not allow the tool service:datetime/);
    },
  );
});
