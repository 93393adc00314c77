import { equal, ok } from 'node:assert/strict';
import type { Receipt } from '@sluice/simulator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

// A hold is an upper bound of the provider's count, in every dialect and for every request.

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini', 'sim/reasoning'] as const;
const inputNanoUsd = 1_000n;
const cachedNanoUsd = 500n;
const outputNanoUsd = 2_000n;

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  fc.constantFrom('\u0001\u0002\u0003', '"\\"', '[1e20,1e20,1e20]', '{"a":1E19}', '日本語 €'),
);
const directive = fc.constantFrom('', '[sim:words-40]', '[sim:reasoning]', '[sim:cached-3]');
const user = fc
  .tuple(text, directive)
  .map(([said, words]) => ({ role: 'user', content: `${said} ${words}` }));
const picture = {
  role: 'user',
  content: [
    { type: 'input_text', text: 'look' },
    { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
  ],
};
const call = fc.tuple(fc.constantFrom('a', 'b'), text, fc.boolean()).map(([id, output, isJson]) => [
  { type: 'function_call', call_id: id, name: 'f', arguments: isJson ? '{"x":1e20}' : '{}' },
  { type: 'function_call_output', call_id: id, output },
]);
const customCall = fc.tuple(text, text).map(([input, output]) => [
  { type: 'custom_tool_call', call_id: 'c', name: 'sql', input },
  { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_text', text: output }] },
]);
const assistant = text.map((said) => ({ role: 'assistant', content: said }));
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const body = fc.record(
  {
    input: fc
      .tuple(
        fc.array(fc.oneof(user, assistant, fc.constant(picture), call, customCall), {
          maxLength: 4,
        }),
        user,
      )
      .map(([items, last]) => [...items.flat(), last]),
    instructions: text,
    tools: fc.subarray([
      { type: 'function', name: 'f', description: 'd', parameters: schema },
      { type: 'custom', name: 'sql', description: 'writes SQL' },
    ]),
    text: fc.constantFrom(
      { format: { type: 'json_object' } },
      { format: { type: 'json_schema', name: 'a', schema } },
    ),
    max_output_tokens: fc.integer({ min: 1, max: 60 }),
    stream: fc.boolean(),
  },
  { requiredKeys: ['input'] },
);

/** A request whose answer is cut by a budget of 0.001 USD, in each dialect. */
const shortened = { input: [{ role: 'user', content: 'go on [sim:words-40]' }] };

function costOf(receipt: Receipt): bigint {
  const { input_tokens: input, cached_tokens: cached, output_tokens: output } = receipt;
  const plain = BigInt(input - cached) * inputNanoUsd + BigInt(cached) * cachedNanoUsd;
  return plain + BigInt(output) * outputNanoUsd;
}

describe.each(models)('what is held for a request to %s', (model) => {
  // Some budgets are so small that they decide how long an answer is.
  const limit = fc.oneof(
    fc.constant(null),
    fc.bigInt({ min: 200_000n, max: 2_000_000n }),
    fc.bigInt({ min: 20_000_000n, max: 30_000_000n }),
  );

  test('covers what the provider counts, and that is what is charged', async () => {
    let served = 0;
    let clamped = 0;
    await fc.assert(
      fc.asyncProperty(body, limit, fc.uuid(), async (fields, limitNanoUsd, keyHash) => {
        const before = { facts: routing.ledger.facts.length, receipts: await routing.receipts() };
        const principal = { ...somebody, keyHash, limitNanoUsd };
        const reply = await routing.call({ model, ...fields }, { principal });
        const said = await textOf(reply);
        if (reply.status === 402) return;
        equal(reply.status, 200, said);
        const [fact] = await eventually(() => {
          const facts = routing.ledger.facts.slice(before.facts);
          return facts.length > 0 ? facts : undefined;
        }, 'its fact');
        const [receipt] = await eventually(async () => {
          const receipts = (await routing.receipts()).slice(before.receipts.length);
          return receipts.length > 0 ? receipts : undefined;
        }, 'its receipt');
        ok(fact && receipt);
        const cost = costOf(receipt);
        ok(cost <= fact.holdNanoUsd, `${cost} of ${fact.holdNanoUsd} held`);
        equal(fact.costNanoUsd, cost);
        equal(fact.claimedNanoUsd, 0n);
        if (limitNanoUsd !== null) ok(fact.holdNanoUsd <= limitNanoUsd);
        const { max_output_tokens: max } = fields;
        if (max !== undefined) ok(receipt.output_tokens <= max);
        served += 1;
        if (said.includes('max_output_tokens_limited_by')) clamped += 1;
      }),
      { numRuns: 60, examples: [[shortened, 1_000_000n, '00000000-0000-4000-8000-000000000000']] },
    );
    ok(served > 20 && clamped > 0, `${served} were served, ${clamped} with a smaller limit`);
  });
});

test('a key limit serves all but the last of its requests one after the other', async () => {
  const input = 'Say something nice, you.';
  const limitNanoUsd = 20n * 24_000n;
  const principal = { ...somebody, keyHash: 'tiny', limitNanoUsd };
  let served = 0;
  for (; served <= 20; served += 1) {
    const reply = await routing.call({ model: 'sim/echo', input }, { principal });
    if (reply.status !== 200) break;
    const { usage } = JSON.parse(await textOf(reply)) as { usage: { cost: number } };
    equal(usage.cost, 0.000_024);
  }
  ok(served >= 19, `${served} of 20`);
});
