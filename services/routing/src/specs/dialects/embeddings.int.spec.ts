import { deepEqual, equal, ok } from 'node:assert/strict';
import { isStream } from '@sluice/inference-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { embeddingCalls, floatsOf, vectorsOf } from '../../testing/embedding-calls.ts';
import { errorOf, type RoutingHarness, routingHarness } from '../../testing/routing-harness.ts';
import { shortLimits } from '../../testing/short-limits.ts';

/** The first endpoint fails and costs nothing, so that it is tried first. */
const catalogFile = (url: string) => `
providers:
  - { slug: broken, name: Broken, dialect: openai-chat, base_url: '${url}' }
  - { slug: whole, name: Whole, dialect: google-gemini, base_url: '${url}' }
  - { slug: plain, name: Plain, dialect: openai-chat, base_url: '${url}' }
models:
  - { id: test/fallback, context_length: 8192, endpoints: [
      { provider: broken, upstream_model: sim-error-503, output_modalities: [embeddings], pricing: { prompt: '0', completion: '0' } },
      { provider: whole, upstream_model: embedding, output_modalities: [embeddings], pricing: { prompt: '0.000001', completion: '0' } }] }
  - { id: test/cut, context_length: 8192, endpoints: [
      { provider: broken, upstream_model: sim-cut-0, output_modalities: [embeddings], pricing: { prompt: '0', completion: '0' } },
      { provider: whole, upstream_model: embedding, output_modalities: [embeddings], pricing: { prompt: '0.000001', completion: '0' } }] }
  - { id: test/plain, endpoints: [{ provider: plain, upstream_model: embedding, output_modalities: [embeddings], pricing: { prompt: '0.000001', completion: '0' } }] }
  - { id: test/small, context_length: 8, endpoints: [{ provider: plain, upstream_model: embedding, output_modalities: [embeddings], pricing: { prompt: '0.000001', completion: '0' } }] }
`;

let routing: RoutingHarness;
/** It loses its patience soon: for providers that hang, and for nothing else, since machines may be slow. */
let hasty: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile });
  hasty = await routingHarness({ limits: shortLimits });
});
afterAll(async () => {
  await routing.stop();
  await hasty.stop();
});

const models = ['sim/embedding', 'sim/gemini-embedding'] as const;

const { ask, embedded, refusalOf, factOf } = embeddingCalls(() => routing);

describe.each(models)('vectors of %s', (model) => {
  test('come in the order of the inputs, and the books have what the provider served', async () => {
    const reply = await ask({ model, input: ['four', 'eightlet', 'four'], user: 'u-1' });
    const { object, id, data, usage, model: served } = await vectorsOf(reply);
    deepEqual([object, served], ['list', model]);
    equal(id, reply.headers['x-generation-id']);
    deepEqual(
      data.map(({ index }) => index),
      [0, 1, 2],
    );
    const [first, second, third] = data.map(({ embedding }) => embedding as readonly number[]);
    deepEqual(first, third);
    ok(first && second && Math.abs(Math.hypot(...first) - 1) < 1e-6 && first[0] !== second[0]);
    deepEqual(
      [usage.prompt_tokens, usage.total_tokens, usage.cost, usage.is_byok],
      [4, 4, 0.000_004, false],
    );
    const fact = await factOf(id);
    const receipts = await routing.receipts();
    const receipt = receipts.find((one) => one.client_request_id === fact.usageId);
    ok(receipt);
    deepEqual(
      [fact.inputTokens, fact.outputTokens, fact.costNanoUsd, fact.outcome, fact.estimated],
      [BigInt(receipt.input_tokens), 0n, 4_000n, 'completed', false],
    );
    deepEqual(
      [fact.apiType, fact.externalUser, fact.finishReason, fact.streamed],
      ['embeddings', 'u-1', 'stop', false],
    );
    ok(fact.holdNanoUsd >= fact.costNanoUsd);
  });

  test('are the same as numbers and in base64, as long as was asked for', async () => {
    const body = { model, input: 'hello', dimensions: 12 };
    const [numbers] = await embedded({ ...body, encoding_format: 'float' });
    const [base64] = await embedded({ ...body, encoding_format: 'base64' });
    equal(numbers?.length, 12);
    deepEqual(floatsOf(base64), numbers);
    deepEqual(await embedded(body), [numbers]);
  });

  test('are of parts together, and of one text as of a list of it', async () => {
    const parts = [
      { type: 'text', text: 'hel' },
      { type: 'input_text', text: 'lo' },
    ];
    const [whole] = await embedded({ model, input: 'hello' });
    deepEqual(await embedded({ model, input: ['hello'] }), [whole]);
    deepEqual(await embedded({ model, input: [{ content: parts }] }), [whole]);
  });
});

test('inputs that are tokens go to endpoints that take them', async () => {
  const model = 'sim/embedding';
  const one = await vectorsOf(await ask({ model, input: [1, 2, 3] }));
  deepEqual([one.data.length, one.usage.prompt_tokens], [1, 3]);
  const two = await vectorsOf(await ask({ model, input: [[1], [2, 3, 4]] }));
  deepEqual([two.data.length, two.usage.prompt_tokens], [2, 4]);
  deepEqual(await refusalOf({ model: 'sim/gemini-embedding', input: [1, 2] }), {
    code: 404,
    message: 'No endpoint of sim/gemini-embedding takes tokens as input: send texts',
    availability: 'constraint_filtered',
    type: 'not_found',
  });
});

test('a server without base64 is asked for numbers, and takes the use of the vectors', async () => {
  const body = { model: 'test/plain', input: 'hello', dimensions: 4 };
  const [numbers] = await embedded(body);
  const [base64] = await embedded({ ...body, encoding_format: 'base64' });
  deepEqual(floatsOf(base64), numbers);
  // The simulator is like OpenAI, which knows no such field.
  const { code, message } = await refusalOf({ ...body, input_type: 'query' });
  deepEqual([code, message], [400, 'Unrecognized request argument supplied: input_type']);
});

test('a chat model has no vectors, and a model of vectors no answers', async () => {
  const chat = await errorOf(await ask({ model: 'sim/chat', input: 'hello' }));
  equal(chat.message, 'sim/chat cannot be used with /embeddings: it answers with text');
  const vectors = await errorOf(await routing.call({ model: 'sim/embedding', input: 'hello' }));
  equal(
    vectors.message,
    'sim/embedding cannot be used with /responses: it answers with embeddings',
  );
  for (const { code, availability } of [chat, vectors])
    deepEqual([code, availability?.['code']], [400, 'wrong_endpoint']);
});

test('each input has to fit into the context, all together need not', async () => {
  const model = 'test/small';
  const fits = 'x'.repeat(32);
  equal((await vectorsOf(await ask({ model, input: [fits, fits, fits] }))).data.length, 3);
  const tooLong = await refusalOf({ model, input: ['x', `${fits}x`] });
  deepEqual([tooLong.code, tooLong.type], [400, 'context_length_exceeded']);
  equal((await refusalOf({ model, input: [1, 2, 3, 4, 5, 6, 7, 8, 9] })).code, 400);
});

test('a long answer is written in pieces, and says the same as in base64', async () => {
  const input = Array.from({ length: 100 }, (_, at) => String(at));
  const body = { model: 'sim/embedding', input, dimensions: 1_024 };
  const reply = await ask(body);
  ok(isStream(reply.body));
  equal(reply.headers['content-type'], 'application/json; charset=utf-8');
  const { data } = await vectorsOf(reply);
  const base64 = await embedded({ ...body, encoding_format: 'base64' });
  deepEqual(
    data.map(({ embedding }) => embedding),
    base64.map(floatsOf),
  );
});

test('too many inputs are refused', async () => {
  const inputs = (count: number) => Array.from({ length: count }, () => 'a');
  const model = 'sim/embedding';
  equal((await vectorsOf(await ask({ model, input: inputs(2_048) }))).data.length, 2_048);
  const { code, message } = await refusalOf({ model, input: inputs(2_049) });
  deepEqual([code, message], [400, 'Invalid request: input: must have at most 2048 inputs']);
});

test.each([
  ['sim-error-503', 'fallback', 'unavailable'],
  ['sim-cut-0', 'cut', 'provider_unavailable'],
])('the next endpoint serves when the first one fails: %s', async (_, name, errorCode) => {
  const client = { wantsMetadata: true } as const;
  const reply = await ask({ model: `test/${name}`, input: 'four' }, { client });
  const { id, data, service_metadata: metadata } = await vectorsOf(reply);
  deepEqual([data.length, metadata?.attempt], [1, 2]);
  const { attempts, costNanoUsd, provider } = await factOf(id, 2);
  deepEqual([provider, costNanoUsd, attempts.length], ['whole', 1_000n, 2]);
  equal(attempts[0]?.errorCode, errorCode);
});

test.each([
  ['error-400', 400, 'invalid_request'],
  ['error-401', 502, 'provider_unavailable'],
  ['error-404', 404, 'not_found'],
  ['error-413', 413, 'payload_too_large'],
  ['error-429', 429, 'rate_limit_exceeded'],
  ['error-500', 502, 'provider_unavailable'],
  ['error-529', 529, 'provider_overloaded'],
  ['malformed', 502, 'provider_unavailable'],
  ['hang', 524, 'timeout'],
])('a provider that fails with %s is a %i', async (fault, code, type) => {
  const calls = fault === 'hang' ? embeddingCalls(() => hasty) : { refusalOf };
  for (const model of [`sim/embedding-sim-${fault}`, `sim/gemini-embedding-sim-${fault}`]) {
    const refusal = await calls.refusalOf({ model, input: 'hello' });
    deepEqual([refusal.code, refusal.type], [code, type], model);
  }
});

test('a usage that is missing is estimated, and one that cannot be true is not charged', async () => {
  const input = 'x'.repeat(40);
  const none = await vectorsOf(await ask({ model: 'sim/embedding-sim-no-usage', input }));
  equal(none.usage.prompt_tokens, 10);
  equal((await factOf(none.id)).estimateReason, 'no_usage');
  const absurd = await vectorsOf(await ask({ model: 'sim/embedding-sim-absurd-usage', input }));
  const fact = await factOf(absurd.id);
  deepEqual([fact.estimateReason, fact.costNanoUsd], ['absurd_usage', 10_000n]);
});
