import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { embeddingCalls, vectorsOf } from '../../testing/embedding-calls.ts';
import { type RoutingHarness, routingHarness } from '../../testing/routing-harness.ts';

/** Google takes 100 inputs at once. The other one takes all of them. */
const catalogFile = (url: string) => `
providers:
  - { slug: google, name: Google, dialect: google-gemini, base_url: '${url}' }
  - { slug: other, name: Other, dialect: openai-chat, base_url: '${url}' }
models:
  - { id: test/both, context_length: 8192, endpoints: [
      { provider: google, upstream_model: embedding, output_modalities: [embeddings], pricing: { prompt: '0.000001', completion: '0' } },
      { provider: other, upstream_model: embedding, output_modalities: [embeddings], pricing: { prompt: '0.000002', completion: '0' } }] }
  - { id: test/google, context_length: 8192, endpoints: [
      { provider: google, upstream_model: embedding, output_modalities: [embeddings], pricing: { prompt: '0.000001', completion: '0' } }] }
  - { id: test/uncounted, context_length: 8192, endpoints: [
      { provider: google, upstream_model: embedding-sim-no-usage, output_modalities: [embeddings], pricing: { prompt: '0.000001', completion: '0' } }] }
`;

let routing: RoutingHarness;
/** The batches before the one that hangs must be answered within this time on a busy machine, too. */
const patienceMs = 10_000;
let impatient: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile });
  impatient = await routingHarness({ catalogFile, limits: { wholeTimeoutMs: patienceMs } });
});
afterAll(async () => {
  await routing.stop();
  await impatient.stop();
});

const { ask, embedded, factOf } = embeddingCalls(() => routing);

/** So many texts of four tokens, all different. */
const texts = (count: number) =>
  Array.from({ length: count }, (_, at) => String(at).padStart(16, '.'));

/** The third batch fails as the directive says, which is the last text of the batch. */
const failing = (directive: string) => texts(500).with(299, `[sim:${directive}]`.padEnd(16));

async function receiptsOf(usageId: string, from = routing) {
  const receipts = await from.receipts();
  return receipts.filter(({ client_request_id: id }) => id === usageId);
}

test('500 texts are embedded in order by an endpoint that takes 100 at once', async () => {
  const model = 'test/google';
  const { id, data, usage } = await vectorsOf(await ask({ model, input: texts(500) }));
  deepEqual(
    data.map(({ embedding }) => embedding),
    await embedded({ model: 'sim/embedding', input: texts(500) }),
  );
  equal(usage.prompt_tokens, 2_000);
  const fact = await factOf(id);
  const receipts = await receiptsOf(fact.usageId);
  deepEqual(
    receipts.map(({ input_tokens: tokens }) => tokens),
    Array.from({ length: 5 }, () => 400),
  );
  deepEqual(
    [fact.inputTokens, fact.costNanoUsd, fact.outcome, fact.estimated, fact.attempts.length],
    [2_000n, 2_000_000n, 'completed', false, 1],
  );
  ok(fact.holdNanoUsd >= fact.costNanoUsd);
  equal(routing.ledger.facts.filter(({ generationId }) => generationId === id).length, 1);
});

test('a usage that no call reports is estimated for all of them', async () => {
  const { id, usage } = await vectorsOf(await ask({ model: 'test/uncounted', input: texts(250) }));
  equal(usage.prompt_tokens, 1_000);
  equal((await factOf(id)).estimateReason, 'no_usage');
});

describe('a call that fails after others were answered', () => {
  test.each([
    ['error-429', 429, 'provider_rate_limited'],
    ['error-500', 502, 'provider_unavailable'],
    ['malformed', 502, 'provider_unavailable'],
    ['hang', 524, 'provider_timeout'],
  ])(
    'ends the request (%s): the operator pays for the others',
    async (directive, status, errorCode) => {
      const asked = directive === 'hang' ? impatient : routing;
      const calls = embeddingCalls(() => asked);
      const reply = await calls.ask({ model: 'test/google', input: failing(directive) });
      equal(reply.status, status);
      const fact = await calls.factOf(reply.headers['x-generation-id'] ?? '');
      deepEqual([fact.outcome, fact.attempts.at(-1)?.errorCode], ['failed', errorCode]);
      const receipts = await receiptsOf(fact.usageId, asked);
      equal(receipts.length, 2);
      const served = receipts.reduce((sum, { input_tokens: tokens }) => sum + tokens, 0);
      deepEqual([fact.costNanoUsd, fact.upstreamCostNanoUsd], [0n, BigInt(served) * 1_000n]);
      // The last call may be billed, too: nobody knows before its receipt.
      deepEqual(
        [fact.suspendedNanoUsd, fact.operatorSuspendedNanoUsd],
        [0n, fact.holdNanoUsd - BigInt(served) * 1_000n],
      );
    },
  );

  test('is followed by another endpoint, which answers all inputs', async () => {
    // The directive is the last text of a batch at Google alone.
    const provider = { order: ['google', 'other'] };
    const reply = await ask({ model: 'test/both', input: failing('error-503'), provider });
    const { id, data } = await vectorsOf(reply);
    equal(data.length, 500);
    const [failed, answered] = [await factOf(id), await factOf(id, 2)];
    deepEqual(
      [failed.provider, failed.costNanoUsd, failed.upstreamCostNanoUsd],
      ['google', 0n, 800_000n],
    );
    deepEqual([answered.provider, answered.outcome], ['other', 'completed']);
    ok(answered.costNanoUsd > 0n);
  });
});
