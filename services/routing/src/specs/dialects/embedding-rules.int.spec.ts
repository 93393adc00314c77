import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { assignFilters } from '../../testing/assign-filters.ts';
import { embeddingCalls, vectorsOf } from '../../testing/embedding-calls.ts';
import {
  type CallOptions,
  errorOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
} from '../../testing/routing-harness.ts';

/** The first endpoint fails and costs nothing, so that it is tried first. */
const catalogFile = (url: string) => `
providers:
  - { slug: broken, name: Broken, dialect: openai-chat, base_url: '${url}' }
  - { slug: whole, name: Whole, dialect: google-gemini, base_url: '${url}' }
models:
  - { id: test/fallback, context_length: 8192, endpoints: [
      { provider: broken, upstream_model: sim-error-503, output_modalities: [embeddings], pricing: { prompt: '0', completion: '0' } },
      { provider: whole, upstream_model: embedding, output_modalities: [embeddings], pricing: { prompt: '0.000001', completion: '0' } }] }
`;

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile });
});
afterAll(() => routing.stop());

const { ask, embedded, refusalOf } = embeddingCalls(() => routing);

describe('a guardrail', () => {
  const ssn = 'My SSN is 123-45-6789.';
  const model = 'sim/embedding';
  const guarded = (rules: Parameters<typeof assignFilters>[1]) => ({
    principal: { ...somebody, keyHash: assignFilters(routing.policies, rules) },
  });

  test('redacts an input before a vector is made of it, and says so', async () => {
    const options = { ...guarded({ builtin: { ssn: 'redact' } }), client: { wantsMetadata: true } };
    const { data, service_metadata: metadata } = await vectorsOf(
      await ask({ model, input: ['plain', ssn] }, options as CallOptions),
    );
    const expected = await embedded({ model, input: ['plain', 'My SSN is [SSN].'] });
    deepEqual(
      data.map(({ embedding }) => embedding),
      expected,
    );
    deepEqual(
      metadata?.pipeline?.map(({ summary }) => summary),
      ['redacted: [SSN]'],
    );
  });

  test('blocks an input, and tokens, which it cannot read', async () => {
    const options = guarded({ builtin: { ssn: 'block' } });
    equal((await refusalOf({ model, input: ['plain', ssn] }, options)).code, 403);
    const { code, message } = await refusalOf({ model, input: [1, 2, 3] }, options);
    equal(code, 403);
    equal(message, 'Request blocked by content filter: tokens cannot be scanned, send texts');
  });

  test('says which models may be used', async () => {
    const keyHash = 'only-gemini';
    routing.policies.assigned.set(`key ${keyHash}`, {
      id: 'guardrail-2',
      rules: {
        allowedProviders: undefined,
        ignoredProviders: undefined,
        allowedModels: { values: ['sim/gemini-embedding'] },
        ignoredModels: undefined,
        zeroRetention: undefined,
        allowedDataRegions: undefined,
        builtinFilters: undefined,
        customFilters: undefined,
      },
    });
    const options = { principal: { ...somebody, keyHash } };
    equal((await ask({ model: 'sim/gemini-embedding', input: 'a' }, options)).status, 200);
    equal((await refusalOf({ model, input: 'a' }, options)).code, 403);
  });
});

test('the preferences for providers hold', async () => {
  const ignore = { ignore: ['whole'] };
  const { code, type } = await refusalOf({
    model: 'test/fallback',
    input: 'four',
    provider: ignore,
  });
  deepEqual([code, type], [503, 'provider_overloaded']);
  const only = await refusalOf({
    model: 'test/fallback',
    input: 'four',
    provider: { only: ['x'] },
  });
  deepEqual([only.code, only.availability], [404, 'no_endpoints']);
  // No parameter of answers is demanded.
  const demanding = { require_parameters: true, sort: 'price' };
  equal((await ask({ model: 'sim/embedding', input: 'a', provider: demanding })).status, 200);
});

describe('money', () => {
  test('is held for the input alone, and its lack is a 402', async () => {
    const poor = await routingHarness({ creditsNanoUsd: 5_000n });
    try {
      const send = (input: string) =>
        poor.call({ model: 'sim/embedding', input }, { dialect: 'embeddings' });
      const refused = await errorOf(await send('123456'));
      deepEqual([refused.code, refused.metadata['reason']], [402, 'credits_exhausted']);
      ok(!/output_tokens/.test(refused.message), refused.message);
      equal((await poor.receipts()).length, 0);
      equal((await send('12345')).status, 200);
    } finally {
      await poor.stop();
    }
  });

  test('of the key is limited as well', async () => {
    const principal = { ...somebody, keyHash: 'limited', limitNanoUsd: 3_000n };
    const body = { model: 'sim/embedding', input: 'hello' };
    const { code, type } = await refusalOf(body, { principal });
    deepEqual([code, type], [402, 'payment_required']);
  });
});

test('the answer of a client that left is paid for', async () => {
  const gone = new AbortController();
  const left = await routingHarness({
    // The intent is on disk before the upstream is called.
    durability: 'strict',
    afterWrite: async (type) => void (type === 'intent' && gone.abort()),
  });
  try {
    await left.call(
      { model: 'sim/embedding', input: 'four' },
      { dialect: 'embeddings', signal: gone.signal },
    );
    const fact = await eventually(() => left.ledger.facts[0], 'the fact');
    deepEqual([fact.costNanoUsd, fact.outcome], [1_000n, 'cancelled']);
  } finally {
    await left.stop();
  }
});
