import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const [dear, cheap] = ['sim/trio', 'sim/echo'];
const body = {
  input: [{ role: 'user', content: 'call service_datetime' }],
  tools: [{ type: 'service:datetime' }],
  max_output_tokens: 500,
};

/** Returns the facts of the turns of a response, in their order. */
async function turnsOf(reply: { readonly headers: Readonly<Record<string, string>> }) {
  const id = reply.headers['x-generation-id'] ?? '';
  const turns = () => routing.ledger.facts.filter(({ usageId }) => usageId.startsWith(`${id}/1/`));
  await eventually(() => turns().length > 1 || undefined, 'two turns');
  return turns().toSorted((a, b) => a.usageId.localeCompare(b.usageId));
}

test.each([false, true])(
  "a loop goes on with the alias's budget model after a turn of its usual one, streamed: %s",
  async (stream) => {
    routing.policies.modelAliases = [{ name: 'team/default', models: [dear], budgetModel: cheap }];
    const rich = { ...somebody, workspaceId: `alias-loop-rich-${String(stream)}`, keyHash: 'rich' };
    const asked = { ...body, stream, model: 'team/default' };
    const usual = await routing.call(asked, { principal: rich });
    await textOf(usual);
    const [first, second] = await turnsOf(usual);
    ok(first && second);
    deepEqual([first.model, second.model], [dear, dear]);
    // The first turn fits, and what is left after it does not hold the second one.
    const principal = {
      ...somebody,
      workspaceId: `alias-loop-${String(stream)}`,
      keyHash: `tight-${String(stream)}`,
      limitNanoUsd: first.holdNanoUsd,
    };
    const reply = await routing.call(asked, { principal });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /answered/);
    const turns = await turnsOf(reply);
    expect(turns.map(({ model }) => model)).toEqual([dear, cheap]);
    match(turns.at(-1)?.routing ?? '', /"budget_refusal":"token_limit_exceeded"/);
    ok(turns.reduce((sum, one) => sum + one.costNanoUsd, 0n) <= principal.limitNanoUsd);
  },
);
