import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { checkBooks, doors, factsOf, numberOf } from '../../testing/tool-loops.ts';
import {
  errorOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// The endpoint searches the web itself. The client sees what it sees of the service's own searches.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const question = 'call web_search Which moons does Saturn have?';
const saturn = 'http://space.corpus.example/saturn';
/** The simulated endpoints with a search of their own: one for each dialect that has one. */
const models = ['sim/native', 'sim/messages-native'];
/** 0.01 USD, in nano-USD. */
const searchPrice = 10_000_000n;

const cases = doors.flatMap((dialect) =>
  models.flatMap((model) => [false, true].map((stream) => ({ dialect, model, stream }))),
);

type Door = (typeof doors)[number];

function bodyOf(dialect: Door, tools: readonly object[], content = question) {
  const asked = [{ role: 'user', content }];
  if (dialect === 'responses') return { input: asked, tools };
  return { messages: asked, tools, ...(dialect === 'messages' && { max_tokens: 5_000 }) };
}

const searchOf = (dialect: Door) =>
  dialect === 'messages'
    ? { type: 'web_search_20250305', name: 'web_search' }
    : { type: 'service:web_search' };

describe('a search of the endpoint', () => {
  test.each(cases)('$dialect of $model, streamed: $stream', async ({ dialect, model, stream }) => {
    const body = { ...bodyOf(dialect, [searchOf(dialect)]), model, stream };
    const reply = await routing.call(body, { dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    const facts = await factsOf(routing, reply, 1);
    deepEqual([...facts.keys()], ['/1/1']);
    const [fact] = facts.values();
    equal(fact?.specialTokens['webSearches'], '1');
    ok((fact?.costNanoUsd ?? 0n) > searchPrice);
    await checkBooks(routing, facts, text);
    const receipt = (await routing.receipts()).find(
      (one) => one.client_request_id === fact.usageId,
    );
    equal(receipt?.web_searches, 1);
    equal(numberOf(text, 'web_search_requests'), 1);
    ok(text.includes(saturn), text);
    if (dialect === 'messages')
      match(text, /"server_tool_use"[^]*"web_search_tool_result"[^]*web_search_result_location/);
    else match(text, /url_citation/);
    if (dialect === 'responses') match(text, /"type":"service:web_search"/);
    if (dialect === 'chat-completions') match(text, /reasoning.server_tool_call/);
  });
});

interface Sent {
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly max_tool_calls?: number;
  readonly include?: readonly string[];
}

/** Returns what the endpoint was sent for the first turn, and the facts of the response. */
async function searched(tool: object, more: object = {}, model = 'sim/native') {
  const debug = { echo_upstream_body: true };
  const body = { ...bodyOf('responses', [tool]), model, stream: true, debug, ...more };
  const reply = await routing.call(body);
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const [, sent = '{}'] = /"echo_upstream_body":(\{.*\})\}/.exec(text) ?? [];
  const facts = await factsOf(routing, reply, 1);
  return { text, facts: [...facts.keys()], sent: JSON.parse(firstObject(sent)) as Sent };
}

/** Returns the first object of a text that goes on after it. */
function firstObject(text: string): string {
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1))
    try {
      JSON.parse(text.slice(0, end + 1));
      return text.slice(0, end + 1);
    } catch {
      // The object has not ended.
    }
  return '{}';
}

const typesOf = ({ tools = [] }: Sent) => tools.map(({ type }) => type ?? 'function');

describe('the settings of a search', () => {
  test.each([
    'web_search',
    'web_search_2025_08_26',
    'web_search_preview',
    'web_search_preview_2025_03_11',
  ])('%s is answered in kind', async (type) => {
    const { text, facts } = await searched({ type });
    match(text, /"type":"web_search_call"/);
    deepEqual(facts, ['/1/1']);
  });

  test('are said in the words of OpenAI, with a limit and the pages', async () => {
    const filters = { allowed_domains: ['space.corpus.example'] };
    const user_location = { type: 'approximate', city: 'Lisbon' };
    const search = { type: 'web_search', filters, user_location, search_context_size: 'low' };
    const { sent } = await searched({ ...search, engine: 'native', max_uses: 2 });
    deepEqual(sent.tools, [search]);
    equal(sent.max_tool_calls, 2);
    deepEqual(sent.include, ['web_search_call.action.sources']);
  });

  test('are said in the words of Anthropic, with a limit', async () => {
    const parameters = {
      excluded_domains: ['HTTPS://A.example/'],
      user_location: { city: 'Lisbon' },
    };
    const { sent } = await searched(
      { type: 'service:web_search', parameters },
      { max_tool_calls: 1 },
      'sim/messages-native',
    );
    deepEqual(sent.tools, [
      {
        type: 'web_search_20250305',
        name: 'web_search',
        blocked_domains: ['a.example'],
        user_location: { type: 'approximate', city: 'Lisbon' },
        max_uses: 1,
      },
    ]);
  });

  test.each([
    { engine: 'exa' },
    { filters: { blocked_domains: ['a.example'] } },
    { filters: { allowed_domains: ['*.a.example'] } },
    { filters: { allowed_domains: ['a.*.example'] } },
    { filters: { allowed_domains: ['a.example/blog'] } },
  ])('that the endpoint lacks let the service search: %j', async (settings) => {
    const { sent, facts } = await searched({ type: 'web_search', ...settings });
    deepEqual(typesOf(sent), ['function']);
    equal(facts.includes('/1/1'), true);
  });

  test.each([
    ['web_search', { filters: { blocked_domains: ['a.example'] } }, 'engine'],
    ['service:web_search', { excluded_domains: ['a.example'] }, 'parameters.engine'],
    ['service:web_search', { allowed_domains: ['*.a.example'] }, 'parameters.engine'],
  ])('that the endpoint lacks are refused with its engine: %s %j', async (type, filter, path) => {
    const given = { ...filter, engine: 'native' };
    const settings = type.startsWith('service:') ? { parameters: given } : given;
    const tools = [{ type: 'service:datetime' }, { type, ...settings }];
    const reply = await routing.call({ model: 'sim/native', input: 'x', tools });
    const { code, message } = await errorOf(reply);
    equal(code, 400);
    ok(message.includes(`tools[1].${path}: the tool of the provider cannot`), message);
    // Another endpoint has no search: ours honors the filter.
    equal((await routing.call({ model: 'sim/chat', input: 'x', tools })).status, 200);
    const possible = [
      { type: 'web_search', engine: 'native', filters: { allowed_domains: ['a.example'] } },
    ];
    equal((await routing.call({ model: 'sim/native', input: 'x', tools: possible })).status, 200);
  });

  test('of two searches let the service search', async () => {
    const tools = [{ type: 'web_search' }, { type: 'service:web_search' }];
    const { sent } = await searched({ type: 'web_search' }, { tools });
    deepEqual(typesOf(sent), ['function', 'function']);
  });

  test('let the service search where a function has the name of the tool', async () => {
    const tools = [
      { type: 'web_search' },
      { type: 'function', name: 'web_search', parameters: {} },
    ];
    const body = { tools, input: 'Hi' };
    deepEqual(typesOf((await searched({}, body, 'sim/messages-native')).sent), [
      'function',
      'function',
    ]);
  });
});
