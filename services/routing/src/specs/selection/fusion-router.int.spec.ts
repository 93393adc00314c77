import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import { routingHarness, type RoutingHarness, textOf } from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf } from '../../testing/tool-loops.ts';

// `service/fusion` gives its model the tool `service:fusion` with the settings of the plugin.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const model = 'service/fusion';
const call = 'call service_fusion';
const client = { wantsMetadata: true } as const;
const cases = doors.flatMap(({ dialect }) =>
  [false, true].map((stream) => ({ dialect, model, stream })),
);
const settings = { model: 'sim/echo', analysis_models: ['sim/echo', 'sim/chat'], tools: [] };

describe.each(cases)('service/fusion at $dialect, stream: $stream', (one) => {
  const body = (content: string, plugin: object, more: object = {}) => ({
    ...bodyOf(one, { content, tools: [] }),
    plugins: [{ id: 'fusion', ...plugin }],
    ...more,
  });
  const ask = async (sent: object) => {
    const reply = await routing.call(sent, { dialect: one.dialect, client });
    return { reply, text: await textOf(reply) };
  };

  test('asks the panel and the analyst, pays for all, and names the model that wrote', async () => {
    const { reply, text } = await ask(body(call, settings));
    equal(reply.status, 200, text);
    match(text, /blind_spots/);
    match(text, /"strategy":"fusion"/);
    match(text, /"model":"sim\/echo"/);
    const facts = await factsOf(routing, reply, 6);
    deepEqual([...facts.keys()].toSorted(), [
      '/1/1',
      '/1/2',
      '/tool/1',
      '/tool/1/1/1/1',
      '/tool/1/2/1/1',
      '/tool/1/3/1/1',
    ]);
    await checkBooks(routing, facts, text);
    const kept = JSON.parse(facts.get('/1/1')?.routing ?? '') as {
      readonly router: { readonly slug: string; readonly data: object };
    };
    equal(kept.router.slug, model);
    deepEqual(kept.router.data, {
      analysis_models: settings.analysis_models,
      candidates: [{ model: 'sim/echo' }],
      excluded: { cannot_serve: 0 },
    });
  });

  test('leaves it to the model whether it asks, and has no panel when it is off', async () => {
    for (const [content, plugin] of [
      ['hi', settings],
      [call, { ...settings, enabled: false, model: null }],
    ] as const) {
      const { reply, text } = await ask(body(content, plugin));
      equal(reply.status, 200, text);
      ok(!text.includes('blind_spots'), text);
      equal((await factsOf(routing, reply, 1)).size, 1);
    }
  });

  test('gives the tool of a request the settings that it lacks', async () => {
    const plugin = { model: 'no/such', analysis_models: ['sim/echo'], tools: [] };
    const parameters = { model: 'sim/chat' };
    const tools = [{ type: 'service:fusion', parameters }];
    const { reply, text } = await ask(body(call, plugin, { model: 'sim/chat', tools }));
    equal(reply.status, 200, text);
    match(text, /blind_spots/);
    equal((await factsOf(routing, reply, 5)).size, 5);
  });

  test('refuses a writer that does not exist, and wrong settings by their place', async () => {
    const none = await ask(body(call, { model: 'no/such' }));
    equal(none.reply.status, 400);
    match(none.text, /no\/such is not a valid model ID/);
    const wrong = await ask(body(call, { enabled: false, max_tool_calls: 17 }));
    equal(wrong.reply.status, 400);
    match(wrong.text, /plugins\[0\]\.max_tool_calls/);
  });
});

interface Whole {
  readonly model: string;
  readonly output: readonly {
    readonly type: string;
    readonly responses?: readonly { readonly model: string }[];
    readonly failure_reason?: string;
  }[];
}

async function whole(harness: RoutingHarness, body: object) {
  const reply = await harness.call({ model, input: call, ...body });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const answer = JSON.parse(text) as Whole;
  return { reply, text, answer, item: answer.output.find(({ type }) => type === 'service:fusion') };
}

describe('a preset', () => {
  test.each(['general-high', 'general-budget', 'general-fast', undefined])(
    '%s has a panel of three models, the first of which writes',
    async (preset) => {
      const plugins = [{ id: 'fusion', tools: [], ...(preset && { preset }) }];
      const { answer, item } = await whole(routing, { plugins });
      const panel = item?.responses?.map((one) => one.model) ?? [];
      equal(new Set(panel).size, 3);
      ok(panel.includes(answer.model), `${answer.model} of ${panel.join()}`);
    },
  );
});

describe('a panel', () => {
  test('asks no other panel, also when it is a router', async () => {
    const plugins = [{ id: 'fusion', ...settings, analysis_models: [model] }];
    const { item, reply } = await whole(routing, { plugins });
    equal(item?.responses?.length, 1);
    equal((await factsOf(routing, reply, 5)).size, 5);
  });

  test('whose cap is reached midway is a result that says so, and nothing is overspent', async () => {
    const poor = await routingHarness({ creditsNanoUsd: 5_000_000n });
    try {
      const plugins = [{ id: 'fusion', ...settings, analysis_models: ['sim/echo'] }];
      const { item, reply, text } = await whole(poor, { max_output_tokens: 100, plugins });
      equal(item?.failure_reason, 'insufficient_credits');
      const facts = await factsOf(poor, reply, 3);
      deepEqual([...facts.keys()].toSorted(), ['/1/1', '/1/2', '/tool/1']);
      await checkBooks(poor, facts, text);
    } finally {
      await poor.stop();
    }
  });
});
