import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { Type } from 'typebox';
import { agentScript, type Script } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf, type LoopCase, loopCases } from '../../testing/tool-loops.ts';
import type { ServerTool } from '../../tools/tool.ts';

// Loops that go on for ever, huge results, and endpoints that fail in a later turn, at all doors.

/** A tool that requests may name, with a result of 10 MB. */
const huge: ServerTool = {
  type: 'service:datetime',
  asFunction: () => ({ description: 'A tool.', parameters: Type.Object({}) }),
  worstCost: () => 0n,
  replay: () => undefined,
  run: async () => ({ output: 'x'.repeat(10_000_000), item: { datetime: 'x'.repeat(10_000_000) } }),
};

const hasResult = (prompt: Parameters<Script>[0]) =>
  prompt.turns.some(({ role }) => role === 'tool');

/** The first endpoint of a model fails once the conversation has a result. */
const script: Script = (prompt) =>
  prompt.model === 'first' && hasResult(prompt)
    ? { directives: ['error-503'] }
    : agentScript(prompt);
const providers = ['openai-responses', 'openai-chat', 'anthropic-messages', 'google-gemini'];
/** Each test has a model, so that none learns of another's failures. */
const catalogFile = (url: string) => `
providers:
${providers
  .flatMap((dialect) =>
    ['one', 'two'].map(
      (name) =>
        `  - { slug: ${name}-${dialect}, name: ${name}, dialect: ${dialect}, base_url: '${url}' }`,
    ),
  )
  .join('\n')}
models:
${fallbackCases()
  .map(
    ({ model, dialect }) => `
  - { id: ${model}, context_length: 100000, endpoints: [
      { provider: one-${dialect}, upstream_model: first, pricing: { prompt: '0.000001', completion: '0.000001' } },
      { provider: two-openai-chat, upstream_model: second, pricing: { prompt: '0.00001', completion: '0.00002' } }] }`,
  )
  .join('')}
`;

function fallbackCases() {
  return loopCases.map((one, place) => ({
    ...one,
    model: `test/model-${String(place)}`,
    door: one.dialect,
    dialect: providers[Math.floor(place / 2) % providers.length] ?? '',
  }));
}

let plain: RoutingHarness;
let routing: RoutingHarness;
/** One for whole answers and one for streams, because retries are bounded. */
let falling: readonly RoutingHarness[];
beforeAll(async () => {
  plain = await routingHarness();
  routing = await routingHarness({ tools: [huge], toolLimits: { resultCharactersMax: 1_000 } });
  falling = [
    await routingHarness({ script, catalogFile }),
    await routingHarness({ script, catalogFile }),
  ];
});
afterAll(async () => {
  for (const one of [plain, routing, ...falling]) await one.stop();
});

const tools = [{ type: 'service:datetime' }];
const call = 'call service_datetime';

async function ask(on: RoutingHarness, one: LoopCase, content: string, more: object = {}) {
  const body = { ...bodyOf(one, { content, tools }), ...more };
  const reply = await on.call(body, { dialect: one.dialect });
  const text = await textOf(reply);
  equal(reply.status, 200, text.slice(0, 500));
  return { reply, text };
}

describe('a model that calls the same tool for ever', () => {
  test.each(loopCases)('ends at $dialect of $model, streamed: $stream', async (one) => {
    const stopWhen = [{ type: 'step_count_is', step_count: 3 }];
    const content = `agent: ${call} forever`;
    const more = { stop_server_tools_when: stopWhen };
    const { reply, text } = await ask(plain, one, content, more);
    match(text, /"tool_calls_requested":3,"tool_calls_executed":3/);
    const facts = await factsOf(plain, reply, 7);
    equal([...facts.keys()].filter((id) => id.startsWith('/tool/')).length, 3);
    await checkBooks(plain, facts, text);
  });
});

describe('a result of 10 MB', () => {
  test.each(loopCases)('is cut at $dialect of $model, streamed: $stream', async (one) => {
    const { text } = await ask(routing, one, `agent: ${call} then say finished`);
    match(text, /finished/);
    ok(text.length < 50_000, `${String(text.length)} characters`);
  });
});

describe('an endpoint that fails in a later turn', () => {
  test.each(fallbackCases())(
    'is followed by another: $dialect at $door, streamed: $stream',
    async ({ model, door, dialect, stream }) => {
      const one = { dialect: door, model, stream };
      // Without an order the dearer endpoint is drawn first in one request of a hundred.
      const order = { provider: { order: [`one-${dialect}`, 'two-openai-chat'] } };
      const on = falling[Number(stream)];
      ok(on);
      const { reply, text } = await ask(on, one, `agent: ${call} then say finished`, order);
      match(text, /finished/);
      const facts = await factsOf(on, reply, 3);
      deepEqual([...facts.keys()].toSorted(), ['/1/1', '/2/2', '/tool/1']);
      equal(facts.get('/2/2')?.provider, 'two-openai-chat');
      await checkBooks(on, facts, text);
    },
  );
});

describe('10,000 deferred tools', () => {
  const deferred = (number: number) => ({
    type: 'function',
    name: `tool_${String(number)}`,
    description: 'Does something.',
    parameters: { type: 'object' },
    defer_loading: true,
  });
  const all = Array.from({ length: 10_000 }, (_, number) => deferred(number));

  test.each([false, true])('are refused by the path, streamed: %s', async (stream) => {
    const body = { model: 'sim/chat', stream, input: 'x' };
    const flat = await plain.call({ ...body, tools: [{ type: 'service:tool_search' }, ...all] });
    const text = await textOf(flat);
    equal(flat.status, 400, text.slice(0, 300));
    match(text, /"path":"tools","message":"must have at most 128 items"/);
    const namespace = { type: 'namespace', name: 'many', description: 'Many.', tools: all };
    const grouped = await plain.call({
      ...body,
      tools: [{ type: 'service:tool_search' }, namespace],
    });
    const words = await textOf(grouped);
    equal(grouped.status, 400, words.slice(0, 300));
    match(words, /"path":"tools/);
  });

  test('of which 127 are searched in time', async () => {
    const few = all.slice(0, 127).map((one) => ({ ...one, description: 'x'.repeat(1_000) }));
    const input = 'agent: call service_tool_search {"query":"tool_77"} then call tool_77 {}';
    const asked = { model: 'sim/chat', input, tools: [{ type: 'service:tool_search' }, ...few] };
    const reply = await plain.call(asked);
    match(await textOf(reply), /"name":"tool_77"/);
  });
});
