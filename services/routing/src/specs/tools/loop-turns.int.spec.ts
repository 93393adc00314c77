import { equal, match, ok } from 'node:assert/strict';
import { isStream } from '@sluice/inference-port';
import { Type } from 'typebox';
import { afterAll, beforeAll, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import { doors, bodyOf, factsOf } from '../../testing/tool-loops.ts';
import type { ServerTool } from '../../tools/tool.ts';

// The turns of a loop stay at one endpoint, and the client of a stream gets a sign of life while a tool runs.

let run: () => Promise<string>;
const tool: ServerTool = {
  type: 'service:datetime',
  asFunction: () => ({ description: 'A tool.', parameters: Type.Object({}) }),
  worstCost: () => 0n,
  replay: () => undefined,
  run: async () => ({ output: await run(), item: { datetime: 'late', timezone: 'UTC' } }),
};

const names = ['one', 'two', 'three', 'four'];
const catalogFile = (url: string) => `
providers:
${names.map((name) => `  - { slug: ${name}, name: ${name}, dialect: openai-chat, base_url: '${url}' }`).join('\n')}
models:
  - id: test/spread
    context_length: 100000
    endpoints:
${names
  .map(
    (name) =>
      `      - { provider: ${name}, upstream_model: m, pricing: { prompt: '0.000001', completion: '0.000001' } }`,
  )
  .join('\n')}
`;

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile, tools: [tool], limits: { keepAliveMs: 40 } });
});
afterAll(() => routing.stop());

const tools = [{ type: 'service:datetime' }];
const call = 'call service_datetime';
const turns = 4;
const loops = 12;

test('all turns of a loop are at the endpoint that was drawn for the first one', async () => {
  run = async () => 'it is late';
  const input = `agent: ${`${call} then `.repeat(turns - 1)}say done`;
  const drawn = new Set<string>();
  for (let loop = 0; loop < loops; loop += 1) {
    const reply = await routing.call({ model: 'test/spread', input, tools });
    equal(reply.status, 200, await textOf(reply));
    const facts = await factsOf(routing, reply, 2 * turns - 1);
    const models = [...facts.values()].filter(({ apiType }) => apiType !== 'tool');
    equal(models.length, turns);
    const providers = new Set(models.map(({ provider }) => provider));
    equal(providers.size, 1, [...providers].join(', '));
    for (const provider of providers) drawn.add(provider);
  }
  // The same endpoint twelve times would be a draw of one in four millions.
  ok(drawn.size > 1, [...drawn].join(', '));
});

const signs = { responses: ':', 'chat-completions': ':', messages: 'event: ping' } as const;

test.each(doors)(
  'the client of a stream gets a sign of life while a tool runs: %s',
  async (dialect) => {
    const release = Promise.withResolvers<string>();
    let isRunning = false;
    run = async () => {
      isRunning = true;
      return await release.promise;
    };
    const one = { dialect, model: 'test/spread', stream: true };
    const content = `agent: ${call} then say done`;
    const reply = await routing.call(bodyOf(one, { content, tools }), { dialect });
    ok(isStream(reply.body));
    const lines = (text: string) =>
      text.split('\n').filter((line) => line.startsWith(signs[dialect]));
    let text = '';
    let before: number | undefined;
    for await (const bytes of reply.body) {
      text += Buffer.from(bytes).toString();
      if (isRunning) before ??= lines(text).length;
      if (before !== undefined && lines(text).length >= before + 2) release.resolve('it is late');
    }
    ok(before !== undefined);
    match(text, /done/);
  },
);
