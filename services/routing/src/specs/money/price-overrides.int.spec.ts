import { equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { priceTexts } from '@sluice/inference';
import { pricesOf } from '@sluice/catalog';
import {
  errorOf,
  eventually,
  responseOf,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

const boundTokens = 100;
const pricing = {
  prompt: '0.000001',
  completion: '0.000002',
  overrides: [{ min_prompt_tokens: boundTokens, prompt: '0.000003', completion: '0.000005' }],
};
const row = (id: string, more: object) => ({
  id,
  context_length: 8_192,
  provider: 'simulated',
  upstream_model: 'echo',
  pricing: { ...pricing, ...more },
});
// JSON is YAML.
const catalog = (url: string) =>
  JSON.stringify({
    providers: [{ slug: 'simulated', name: 'Simulated', dialect: 'openai-chat', base_url: url }],
    models: [
      row('mine/long', {}),
      row('mine/half', { discount: 0.5 }),
      row('mine/always', { overrides: [{ utc_days: [0, 1, 2, 3, 4, 5, 6], prompt: '0.000007' }] }),
      { ...row('mine/cut', {}), upstream_model: 'sim-cut-3' },
    ],
  });

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile: catalog });
});
afterAll(() => routing.stop());

const words = (count: number) => 'word '.repeat(count);

/** The receipt of the provider, what was charged for it, and what was held. */
async function served(model: string, input: string) {
  const before = (await routing.receipts()).length;
  const { usage } = await responseOf(await routing.call({ model, input, max_output_tokens: 300 }));
  const receipt = await eventually(async () => (await routing.receipts())[before], 'the receipt');
  const fact = await eventually(
    () =>
      routing.ledger.facts.find(
        (one) => one.model === model && one.inputTokens === BigInt(receipt.input_tokens),
      ),
    'the fact',
  );
  ok(fact.costNanoUsd <= fact.holdNanoUsd);
  equal(usage?.cost, Number(fact.costNanoUsd) / 1e9);
  const plain = BigInt(receipt.input_tokens - receipt.cached_tokens);
  return {
    ...fact,
    plain,
    cached: BigInt(receipt.cached_tokens),
    out: BigInt(receipt.output_tokens),
  };
}

describe('a request', () => {
  test('costs what a prompt of its length does, all of it, and no more than was held', async () => {
    const short = await served('mine/long', words(10));
    ok(short.inputTokens <= BigInt(boundTokens));
    equal(short.costNanoUsd, (short.plain + short.cached) * 1_000n + short.out * 2_000n);
    const long = await served('mine/long', words(200));
    ok(long.inputTokens > BigInt(boundTokens));
    equal(long.costNanoUsd, (long.plain + long.cached) * 3_000n + long.out * 5_000n);
  });

  test('costs so much less as its discount says', async () => {
    const half = await served('mine/half', words(200));
    equal(half.costNanoUsd, (half.plain + half.cached) * 1_500n + half.out * 2_500n);
  });

  test('costs what holds at its hour', async () => {
    const day = await served('mine/always', words(10));
    equal(day.costNanoUsd, (day.plain + day.cached) * 7_000n + day.out * 2_000n);
  });

  test('whose prompt may be a long one needs credits for that', async () => {
    const creditsNanoUsd = 5_000_000n;
    const poor = await routingHarness({ catalogFile: catalog, creditsNanoUsd });
    try {
      const asked = { model: 'mine/long', input: words(200), max_output_tokens: 5_000 };
      const reply = await poor.call(asked);
      equal(reply.status, 402);
      const { metadata } = await errorOf(reply);
      // The text, and what a server adds to a request, an item and a part.
      const hold = BigInt(asked.input.length + 96 + 16 + 4) * 3_000n;
      equal(metadata['affordable_output_tokens'], Number((creditsNanoUsd - hold) / 5_000n));
    } finally {
      await poor.stop();
    }
  });
});

test('an estimate says at what prices it can be corrected, those of long prompts too', async () => {
  await textOf(await routing.call({ model: 'mine/cut', input: words(200), stream: true }));
  const fact = await eventually(
    () => routing.ledger.facts.find(({ model }) => model === 'mine/cut'),
    'the fact',
  );
  ok(fact.estimated);
  equal(JSON.stringify(fact.prices), JSON.stringify(priceTexts(pricesOf(pricing))));
});
