import { deepEqual, equal } from 'node:assert/strict';
import { until } from '@sluice/patience';
import type { ClientDialectName } from '@sluice/inference-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  type CallOptions,
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const model = 'sim/echo';
const messages = [{ role: 'user', content: 'hello' }];
const bodies: Readonly<Partial<Record<ClientDialectName, object>>> = {
  responses: { model, input: 'hello' },
  'chat-completions': { model, messages },
  messages: { model, messages, max_tokens: 50 },
};

/** Answers a request of an account that gives its contents, or does not. Returns its usage fact. */
async function served(body: object, { givesData = true, ...options }: Given = {}) {
  routing.policies.givesData = givesData;
  // The answer about the workspace is kept for a while.
  const principal = { ...somebody, accountId: `account-${String(++count)}` };
  const reply = await routing.call(body, { principal, ...options });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const id = reply.headers['x-generation-id'];
  return {
    text,
    fact: await until(() => routing.ledger.facts.find((one) => one.generationId === id)),
  };
}
type Given = CallOptions & { readonly givesData?: boolean };
let count = 0;

/** The amounts of a fact, as its list price has them. */
const discounted = (listNanoUsd: bigint) => {
  const off = (listNanoUsd + 99n) / 100n;
  return [listNanoUsd - off, off, 100n, listNanoUsd];
};

describe('a request whose contents the operator may use', () => {
  for (const [dialect, body] of Object.entries(bodies) as [ClientDialectName, object][])
    test.each([false, true])(
      `costs one per cent less by ${dialect}, stream: %s`,
      async (stream) => {
        const asked = { ...body, stream };
        const { fact: full } = await served(asked, { dialect, givesData: false });
        const { fact, text } = await served(asked, { dialect });
        deepEqual(
          [
            fact.costNanoUsd,
            fact.dataDiscountNanoUsd,
            fact.dataDiscountBasisPoints,
            fact.upstreamCostNanoUsd,
          ],
          discounted(full.costNanoUsd),
        );
        deepEqual([full.dataDiscountNanoUsd, full.upstreamCostNanoUsd], [undefined, undefined]);
        equal(fact.holdNanoUsd, full.holdNanoUsd);
        if (stream) return;
        const { usage } = JSON.parse(text) as { usage: { cost: number } };
        equal(usage.cost, Number(fact.costNanoUsd) / 1e9);
      },
    );
});

test('vectors cost one per cent less, too', async () => {
  const { fact } = await served(
    { model: 'sim/embedding', input: 'four' },
    { dialect: 'embeddings' },
  );
  const full = fact.costNanoUsd + (fact.dataDiscountNanoUsd ?? 0n);
  deepEqual([fact.costNanoUsd, fact.dataDiscountNanoUsd], discounted(full).slice(0, 2));
});

test('a request that withholds its contents costs the full price', async () => {
  const { fact } = await served({ model, input: 'hello' }, { client: { withholdsContents: true } });
  deepEqual([fact.dataDiscountNanoUsd, fact.dataDiscountBasisPoints], [undefined, undefined]);
});
