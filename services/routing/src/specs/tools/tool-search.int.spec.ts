import { deepEqual, equal, match } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';

// A model searches for deferred tools, and calls those that it found.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const deferred = (name: string, description = '') => ({
  type: 'function',
  name,
  description,
  parameters,
  defer_loading: true,
});
const search = { type: 'service:tool_search', parameters: { max_results: 2 } };
const tools = [search, deferred('get_weather', 'The weather of a city'), deferred('send_mail')];

interface Answer {
  readonly output: readonly {
    readonly type: string;
    readonly name?: string;
    readonly query?: string;
  }[];
  readonly output_text: string;
}

async function ask(script: string, more: object = {}): Promise<Answer> {
  const reply = await routing.call({
    model: 'sim/echo',
    input: `agent: ${script}`,
    tools,
    ...more,
  });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return JSON.parse(text) as Answer;
}

const query = (text: string) => `call service_tool_search {"query":"${text}"}`;

describe('service:tool_search', () => {
  test('lets the model call what it found', async () => {
    const answer = await ask(`${query('weather')} then call get_weather {"city":"Berlin"}`);
    deepEqual(
      answer.output.map(({ type, name }) => [type, name]),
      [
        ['service:tool_search', undefined],
        ['function_call', 'get_weather'],
      ],
    );
    equal(answer.output[0]?.query, 'weather');
  });

  test('finds by names, descriptions and arguments, without regard to case', async () => {
    for (const text of ['GET_W', 'of a CITY', '^send_']) {
      const answer = await ask(query(text));
      match(answer.output_text, /"total_results":[12]/);
    }
    match((await ask(query('nothing'))).output_text, /"total_results":0/);
    match((await ask(query('city'))).output_text, /"total_results":2/);
  });

  test('returns 50 tools at most, also if more are asked for', async () => {
    const many = Array.from({ length: 60 }, (_, number) => deferred(`get_${String(number)}`));
    const all = [{ type: 'service:tool_search', parameters: { max_results: 60 } }, ...many];
    const { output_text: text } = await ask(query('get_'), { tools: all });
    equal(new Set(text.match(/get_\d+/g)).size, 50);
    match(text, /"total_results":60/);
  });

  test.each([
    ['(', /invalid/],
    ['x'.repeat(201), /at most 200/],
  ])('tells the model that its pattern is none: %s', async (text, problem) => {
    match((await ask(query(text))).output_text, problem);
  });

  test.each(['sim/chat', 'sim/messages', 'sim/gemini'])('works with %s', async (model) => {
    const answer = await ask(`${query('weather')} then call get_weather`, { model });
    equal(answer.output.at(-1)?.name, 'get_weather');
  });

  test('makes a found tool callable again when its item comes back', async () => {
    const item = { type: 'service:tool_search', id: 'st_1', status: 'completed', query: 'weather' };
    const sent = { role: 'user', content: 'agent: call get_weather' };
    const reply = await routing.call({
      model: 'sim/echo',
      input: [{ role: 'user', content: 'hi' }, item, sent],
      tools,
      stream: true,
      debug: { echo_upstream_body: true },
    });
    const text = await textOf(reply);
    match(text, /"debug".*"name":"get_weather"/);
    equal(/"debug".*"name":"send_mail"/.test(text), false);
  });

  test('is known to clients of Anthropic by its regular expressions', async () => {
    const later = { name: 'get_weather', input_schema: parameters, defer_loading: true };
    const body = {
      model: 'sim/messages',
      max_tokens: 500,
      messages: [{ role: 'user', content: `agent: ${query('weather')}` }],
    };
    const find = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' };
    const reply = await routing.call({ ...body, tools: [find, later] }, { dialect: 'messages' });
    const text = await textOf(reply);
    match(text, /"type":"tool_search_tool_result".*"tool_name":"get_weather"/);
    const bm25 = { ...find, type: 'tool_search_tool_bm25_20251119' };
    const refused = await routing.call({ ...body, tools: [bm25, later] }, { dialect: 'messages' });
    equal(refused.status, 400);
    match(await textOf(refused), /tools\[0\]\.type/);
  });
});

describe('tool_search is answered in the items of OpenAI', () => {
  const member = deferred('close_ticket', 'Closes a ticket');
  const crm = { type: 'namespace', name: 'crm', description: 'Tickets', tools: [member] };
  const own = [{ type: 'tool_search' }, deferred('get_weather', 'The weather of a city'), crm];
  const call = { execution: 'server', call_id: null, status: 'completed' };
  const definition = { ...deferred('get_weather', 'The weather of a city'), strict: null };

  interface InKind {
    readonly output: readonly (Record<string, unknown> & { readonly id: string })[];
  }

  /** Returns the items without their ids, and the ids. */
  async function found(script: string, stream: boolean, more: object = {}) {
    const body = { model: 'sim/chat', input: `agent: ${script}`, tools: own, stream, ...more };
    const text = await textOf(await routing.call(body));
    const last = text.split('\n').findLast((line) => line.startsWith('data: {'));
    const { output } = stream
      ? (JSON.parse((last ?? '').slice(6)) as { response: InKind }).response
      : (JSON.parse(text) as InKind);
    return { items: output.map(({ id: _id, ...item }) => item), ids: output.map(({ id }) => id) };
  }

  test.each([false, true])('with the definitions that it found, streamed: %s', async (stream) => {
    const script = `${query('weather')} then call get_weather {"city":"Berlin"}`;
    const { items, ids } = await found(script, stream);
    deepEqual(items.slice(0, 2), [
      { type: 'tool_search_call', ...call, arguments: { query: 'weather' } },
      { type: 'tool_search_output', ...call, tools: [definition] },
    ]);
    equal(items[2]?.['name'], 'get_weather');
    deepEqual(
      ids.map((id) => id.split('_')[0]),
      ['tsc', 'tso', 'fc'],
    );
  });

  test('with the namespaces of what it found', async () => {
    const { items } = await found(query('ticket'), true);
    const members = [{ ...member, strict: null }];
    deepEqual(items[1]?.['tools'], [{ ...crm, tools: members }]);
  });

  test.each([false, true])('also if it fails, streamed: %s', async (stream) => {
    const { items } = await found(query('('), stream);
    deepEqual(items[0], {
      type: 'tool_search_call',
      ...call,
      status: 'incomplete',
      arguments: { query: '(' },
    });
    equal(items[1]?.['type'], 'message');
  });

  test('and what it found stays callable when the items come back', async () => {
    const { items, ids } = await found(query('weather'), false);
    const earlier = items.map((item, index) => ({ ...item, id: ids[index] }));
    const input = [...earlier, { role: 'user', content: 'agent: call get_weather' }];
    equal((await found('', false, { input })).items[0]?.['name'], 'get_weather');
  });

  test('and as a block of Anthropic for its clients', async () => {
    const later = { name: 'get_weather', input_schema: parameters, defer_loading: true };
    const messages = [{ role: 'user', content: `agent: ${query('weather')}` }];
    const body = { model: 'sim/messages', max_tokens: 500, messages };
    const tools = [{ type: 'tool_search' }, later];
    for (const stream of [false, true]) {
      const reply = await routing.call({ ...body, tools, stream }, { dialect: 'messages' });
      const text = await textOf(reply);
      match(text, /"type":"tool_search_tool_result".*"tool_name":"get_weather"/);
      equal(text.includes('tool_search_output'), false, text);
    }
  });

  test('unless the workspace disabled the tool', async () => {
    routing.policies.disabledServerTools = ['service:tool_search'];
    const other = { accountId: 'a', workspaceId: 'w', keyHash: 'other' } as const;
    const principal = { ...other, limitNanoUsd: null, limitReset: null, includeByokInLimit: false };
    const reply = await routing.call({ model: 'sim/chat', input: 'x', tools: own }, { principal });
    routing.policies.disabledServerTools = [];
    equal(reply.status, 403);
  });
});

test.each(['required', 'none', { type: 'service:tool_search' }, { type: 'tool_search' }])(
  'a choice that forces or forbids calls is refused while tools are deferred: %o',
  async (tool_choice) => {
    const reply = await routing.call({ model: 'sim/echo', input: 'x', tools, tool_choice });
    equal(reply.status, 400);
    match(await textOf(reply), /tool_choice: must be auto or allowed_tools/);
  },
);

test('allowed tools are callable at once, and found ones are added', async () => {
  const tool_choice = {
    type: 'allowed_tools',
    mode: 'auto',
    tools: [{ type: 'service:tool_search' }, { type: 'function', name: 'send_mail' }],
  };
  const answer = await ask('call send_mail', { tool_choice });
  equal(answer.output[0]?.name, 'send_mail');
  const found = await ask(`${query('weather')} then call get_weather`, { tool_choice });
  equal(found.output.at(-1)?.name, 'get_weather');
});

describe('service:search_models', () => {
  test.each(['service:search_models', 'service:experimental__search_models'])(
    '%s finds models',
    async (type) => {
      const script = 'call service_experimental__search_models {"query":"echo"}';
      const answer = await ask(script, { tools: [{ type, parameters: { max_results: 1 } }] });
      equal(answer.output[0]?.type, 'service:experimental__search_models');
      equal(answer.output[0]?.query, 'echo');
      match(answer.output_text, /"id":"sim\/echo/);
      match(answer.output_text, /"showing":1/);
    },
  );
});
