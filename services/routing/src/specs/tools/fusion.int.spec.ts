import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventsOf,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import { bodyOf, checkBooks, factsOf, loopCases } from '../../testing/tool-loops.ts';

// The model calls `service:fusion`, the service asks a panel and an analyst, and the model goes on.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const type = 'service:fusion';
const call = 'call service_fusion';
const broken = 'sim/echo-sim-error-500';

interface Item {
  readonly type: string;
  readonly status: string;
  readonly responses?: readonly { readonly model: string; readonly content: string }[];
  readonly analysis?: object;
  readonly failed_models?: readonly { readonly model: string; readonly error: string }[];
  readonly error?: string;
  readonly failure_reason?: string;
}

async function itemOf(parameters: object, model = 'sim/echo'): Promise<Item | undefined> {
  const reply = await routing.call({ model, input: call, tools: [{ type, parameters }] });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const { output } = JSON.parse(text) as { output: readonly Item[] };
  equal(output.at(-1)?.type, 'message');
  return output.find((item) => item.type === type);
}

describe('a loop of service:fusion', () => {
  test.each(loopCases)('$dialect of $model, streamed: $stream', async (one) => {
    const parameters = { analysis_models: ['sim/echo', 'sim/chat'], tools: [] };
    const body = bodyOf(one, { content: call, tools: [{ type, parameters }] });
    const reply = await routing.call(body, { dialect: one.dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /You said: What should be done next\?/);
    match(text, /blind_spots/);
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
  });

  test('tells how it goes on, in order', async () => {
    const parameters = { analysis_models: ['sim/echo', broken], tools: [] };
    const tools = [{ type, parameters }];
    const reply = await routing.call({ model: 'sim/echo', stream: true, input: call, tools });
    const types = (await eventsOf(reply)).map((one) => one.type);
    const told = [...new Set(types.filter((one) => one.includes('fusion_call')))];
    const names = told.map((one) => one.replace('response.fusion_call.', ''));
    deepEqual(names.slice(0, 2), ['in_progress', 'panel.added']);
    deepEqual(names.slice(-3), ['analysis.in_progress', 'analysis.completed', 'completed']);
    for (const name of ['panel.delta', 'panel.completed', 'panel.failed'])
      ok(names.includes(name), name);
  });
});

describe('a panel', () => {
  test('that answers in part is a result with the models that failed', async () => {
    const item = await itemOf({ analysis_models: ['sim/echo', broken], tools: [] });
    deepEqual(
      [item?.status, item?.responses?.map(({ model }) => model)],
      ['completed', ['sim/echo']],
    );
    deepEqual(
      item?.failed_models?.map(({ model }) => model),
      [broken],
    );
    ok(item?.analysis);
  });

  test.each([
    [[broken], 'all_panels_failed'],
    [['no/such'], 'invalid_model'],
  ])('%o that fails is a result with a reason', async (analysis_models, reason) => {
    const item = await itemOf({ analysis_models });
    deepEqual([item?.status, item?.failure_reason], ['incomplete', reason]);
    ok(item?.error);
  });

  test('is a result without an analyst', async () => {
    const item = await itemOf({ analysis_models: ['sim/chat'], tools: [], model: broken });
    deepEqual(
      [item?.status, item?.analysis, item?.failure_reason],
      ['completed', undefined, 'judge_upstream_error'],
    );
  });

  test('has the dearest models and tools unless the request names others', async () => {
    const item = await itemOf({});
    equal(item?.responses?.length, 3);
    equal(new Set(item?.responses?.map(({ model }) => model)).size, 3);
  });

  test.each<[object, string]>([
    [{ analysis_models: [] }, 'analysis_models'],
    [{ analysis_models: Array.from({ length: 9 }, () => 'sim/echo') }, 'analysis_models'],
    [{ max_tool_calls: 0 }, 'max_tool_calls'],
    [{ max_tool_calls: 17 }, 'max_tool_calls'],
    [{ max_completion_tokens: 0 }, 'max_completion_tokens'],
    [{ reasoning: { effort: 'huge' } }, 'reasoning.effort'],
    [{ tools: Array.from({ length: 9 }, () => ({ type: 'service:datetime' })) }, 'tools'],
    [{ tools: [{}] }, 'tools[0].type'],
  ])('is refused by the path at all doors: %o', async (parameters, path) => {
    for (const dialect of ['responses', 'chat-completions', 'messages'] as const) {
      const one = { dialect, model: 'sim/echo', stream: false };
      const tools = [{ type, parameters }];
      const reply = await routing.call(bodyOf(one, { content: call, tools }), { dialect });
      const text = await textOf(reply);
      equal(reply.status, 400, text);
      ok(text.includes(`tools[0].parameters.${path}`), text);
    }
  });
});

describe('a panel that the caller cannot pay for', () => {
  test('is a result that says so, and nothing is overspent', async () => {
    const poor = await routingHarness({ creditsNanoUsd: 5_000_000n });
    try {
      const tools = [{ type, parameters: { analysis_models: ['sim/echo'], tools: [] } }];
      const body = { model: 'sim/echo', input: call, max_output_tokens: 100, tools };
      const reply = await poor.call(body);
      const text = await textOf(reply);
      equal(reply.status, 200, text);
      const { output } = JSON.parse(text) as { output: readonly Item[] };
      equal(output[0]?.failure_reason, 'insufficient_credits');
      const facts = await factsOf(poor, reply, 3);
      deepEqual([...facts.keys()].toSorted(), ['/1/1', '/1/2', '/tool/1']);
      await checkBooks(poor, facts, text);
    } finally {
      await poor.stop();
    }
  });
});
