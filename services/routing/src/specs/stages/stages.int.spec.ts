import { equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stage } from '../../stages/stage.ts';
import { textRequest } from '../../testing/text-request.ts';
import {
  eventually,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

const added = 'much more to say '.repeat(100);
const adding: Stage = {
  at: 'input',
  name: 'adding',
  run: async ({ inference, ...others }) => ({
    call: {
      ...others,
      inference: { ...inference, items: [...textRequest(added).items, ...inference.items] },
    },
    reports: [{ type: 'plugin', name: 'adding', summary: 'added a text' }],
  }),
};

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ stages: [adding] });
});
afterAll(() => routing.stop());

test.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])(
  'the text that a stage adds is held for, sent and reported: %s',
  async (model) => {
    const client = { wantsMetadata: true } as const;
    const facts = routing.ledger.facts.length;
    const reply = await routing.call({ model, input: 'hi' }, { client });
    equal(reply.status, 200);
    const body = JSON.parse(await textOf(reply)) as {
      usage: { input_tokens: number };
      service_metadata: { pipeline: unknown };
    };
    ok(body.usage.input_tokens > 100, `${body.usage.input_tokens} tokens were read`);
    expect(body.service_metadata.pipeline).toMatchObject([{ type: 'plugin', name: 'adding' }]);
    const fact = await eventually(() => routing.ledger.facts[facts], 'the fact');
    ok(fact.costNanoUsd <= fact.holdNanoUsd);
  },
);

test('a budget that has no room for what a stage adds refuses the request', async () => {
  const principal = { ...somebody, keyHash: 'small', limitNanoUsd: BigInt(added.length) * 500n };
  const reply = await routing.call({ model: 'sim/echo', input: 'hi' }, { principal });
  equal(reply.status, 402);
});
