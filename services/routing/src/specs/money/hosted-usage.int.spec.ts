import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { receiptOf } from '../../testing/receipt-of.ts';
import {
  eventually,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const fileSearch = { type: 'file_search', vector_store_ids: ['vs_1'] };
const patch = { type: 'apply_patch' };

/** Returns the usage fact of a request whose provider reads so many input tokens beside the prompt. */
async function factOf(readTokens: number, fields: object) {
  const input = `Hi [sim:reads-${readTokens}]`;
  const body = { model: 'sim/echo', input, max_output_tokens: 64, ...fields };
  const reply = await routing.call(body);
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const id = reply.headers['x-generation-id'] ?? '';
  const fact = await eventually(
    () => routing.ledger.facts.find(({ generationId }) => generationId === id),
    'the usage fact',
  );
  return { fact, receipt: await receiptOf(routing, id) };
}

describe('what the tools of a provider read', () => {
  test.each([
    ['one context', 100_000, {}],
    ['three contexts, one after each call', 380_000, {}],
    ['as many contexts as calls that the client allows, and one', 900_000, { max_tool_calls: 7 }],
  ])('is charged as the provider counts it: %s', async (_, readTokens, fields) => {
    const { fact, receipt } = await factOf(readTokens, { tools: [fileSearch], ...fields });
    deepEqual(
      [fact.inputTokens, fact.estimated, fact.estimateReason, fact.claimedNanoUsd],
      [BigInt(receipt.input_tokens), false, '', 0n],
    );
    ok(fact.inputTokens > BigInt(readTokens));
    ok(fact.costNanoUsd <= fact.holdNanoUsd);
  });

  test.each([
    ['no tool', 27_118, {}],
    ['a tool that the client runs', 140_000, { tools: [patch] }],
    ['fewer calls', 380_000, { tools: [fileSearch], max_tool_calls: 1 }],
  ])('is a claim beyond the hold, if the request has %s', async (_, readTokens, fields) => {
    const { fact, receipt } = await factOf(readTokens, fields);
    equal(fact.inputTokens, BigInt(receipt.input_tokens));
    equal(fact.costNanoUsd, fact.holdNanoUsd);
    deepEqual([fact.estimated, fact.estimateReason], [true, 'above_hold']);
    ok(fact.claimedNanoUsd > 0n);
    match(fact.providerUsage.toString(), new RegExp(`"inputTokens":${receipt.input_tokens}`));
  });

  test('is no usage, if no model reads so much', async () => {
    const { fact } = await factOf(990_000, {});
    deepEqual([fact.estimated, fact.estimateReason], [true, 'absurd_usage']);
  });
});
