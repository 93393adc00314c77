import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { assignFilters } from '../../testing/assign-filters.ts';
import {
  type CallOptions,
  errorOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

/** The first endpoint fails and costs nothing, so that it is tried first. */
const catalogFile = (url: string) => `
providers:
  - { slug: broken, name: Broken, dialect: openai-chat, base_url: '${url}' }
  - { slug: whole, name: Whole, dialect: openai-responses, base_url: '${url}' }
models:
  - { id: test/fallback, context_length: 8192, endpoints: [
      { provider: broken, upstream_model: sim-error-503, output_modalities: [rerank], pricing: { prompt: '0', completion: '0' } },
      { provider: whole, upstream_model: rerank, output_modalities: [rerank], pricing: { prompt: '0.000001', completion: '0' } }] }
  - { id: test/uncounted, context_length: 8192, endpoints: [
      { provider: whole, upstream_model: rerank-sim-no-usage, output_modalities: [rerank], pricing: { prompt: '0.000001', completion: '0', search_unit: '0.001' } }] }
  - { id: test/malformed, context_length: 8192, endpoints: [
      { provider: whole, upstream_model: rerank-sim-malformed, output_modalities: [rerank], pricing: { prompt: '0.000001', completion: '0' } }] }
  - { id: test/small, context_length: 8, endpoints: [
      { provider: whole, upstream_model: rerank, output_modalities: [rerank], pricing: { prompt: '0.000001', completion: '0' } }] }
`;

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ catalogFile });
});
afterAll(() => routing.stop());

const query = 'when does the ferry leave';
const documents = ['bread is baked', 'the ferry does leave at nine', 'the cat'];
const ask = (body: object, options: CallOptions = {}) =>
  routing.call({ query, documents, ...body }, { ...options, dialect: 'rerank' });

interface Ranked {
  readonly id: string;
  readonly model: string;
  readonly provider: string;
  readonly results: readonly {
    readonly index: number;
    readonly relevance_score: number;
    readonly document: { readonly text?: string; readonly image?: string };
  }[];
  readonly usage: {
    readonly total_tokens: number;
    readonly search_units: number;
    readonly cost: number;
  };
  readonly service_metadata?: { readonly pipeline?: readonly { readonly summary: string }[] };
}

async function ranked(body: object, options?: CallOptions): Promise<Ranked> {
  const reply = await ask(body, options);
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return JSON.parse(text) as Ranked;
}

async function factAndReceipt(id: string, attempt = 1) {
  const usageId = `${id}/${String(attempt)}/1`;
  const fact = await eventually(
    () => routing.ledger.facts.find((one) => one.usageId === usageId),
    `the fact ${usageId}`,
  );
  const receipts = await routing.receipts();
  const receipt = receipts.find((one) => one.client_request_id === usageId);
  return { fact, receipt };
}

describe('ranks', () => {
  test('come with their documents, the most relevant first, and the books have what was served', async () => {
    const { id, model, provider, results, usage } = await ranked({ model: 'sim/rerank' });
    deepEqual([model, provider], ['sim/rerank', 'Simulator']);
    deepEqual(
      results.map(({ index, relevance_score: score, document }) => [index, score, document]),
      [
        [1, 0.8, { text: documents[1] }],
        [2, 0.2, { text: documents[2] }],
        [0, 0, { text: documents[0] }],
      ],
    );
    const { fact, receipt } = await factAndReceipt(id);
    ok(receipt);
    deepEqual(
      [fact.inputTokens, fact.costNanoUsd, fact.apiType, fact.outcome, fact.estimated],
      [
        BigInt(receipt.input_tokens),
        BigInt(receipt.input_tokens) * 1_000n,
        'rerank',
        'completed',
        false,
      ],
    );
    deepEqual([usage.total_tokens, usage.search_units], [receipt.input_tokens, 1]);
    ok(fact.holdNanoUsd >= fact.costNanoUsd);
  });

  test('are as many as asked for', async () => {
    const { results } = await ranked({ model: 'sim/rerank', top_n: 1 });
    deepEqual(
      results.map(({ index }) => index),
      [1],
    );
    equal((await ranked({ model: 'sim/rerank', top_n: 99 })).results.length, 3);
  });

  test('are billed by the search unit where the endpoint has a price for it', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `document ${String(at)}`);
    const answer = await ranked({ model: 'sim/cohere-rerank', documents: many });
    const { fact, receipt } = await factAndReceipt(answer.id);
    deepEqual([receipt?.search_units, receipt?.input_tokens], [2, 0]);
    deepEqual(
      [answer.usage.search_units, answer.usage.total_tokens, answer.usage.cost],
      [2, 0, 0.004],
    );
    deepEqual([fact.costNanoUsd, fact.estimated], [4_000_000n, false]);
    ok(fact.holdNanoUsd >= fact.costNanoUsd);
  });

  test('are of documents with pictures as well', async () => {
    const image = 'https://example.com/cat.png';
    const answer = await ranked({
      model: 'sim/rerank',
      documents: [{ image }, { text: 'the ferry', image }, 'the ferry does leave'],
    });
    deepEqual(
      answer.results.map(({ document }) => document),
      [{ text: 'the ferry does leave' }, { text: 'the ferry', image }, { image }],
    );
  });

  test('come from another endpoint if one fails', async () => {
    const { id, provider } = await ranked({ model: 'test/fallback' });
    equal(provider, 'Whole');
    const { fact } = await factAndReceipt(id, 2);
    equal(fact.provider, 'whole');
  });

  test('of a provider that reports nothing are estimated', async () => {
    const { id, usage } = await ranked({ model: 'test/uncounted' });
    const { fact, receipt } = await factAndReceipt(id);
    equal(fact.estimateReason, 'no_usage');
    equal(usage.search_units, 1);
    equal(fact.costNanoUsd, BigInt(usage.total_tokens) * 1_000n + 1_000_000n);
    ok(receipt && Math.abs(usage.total_tokens - receipt.input_tokens) <= 3);
  });
});

describe('a request is refused', () => {
  const refusalOf = async (body: object, options?: CallOptions) => {
    const { code, message, availability } = await errorOf(await ask(body, options));
    return { code, message, availability: availability?.['code'] };
  };

  test.each([
    [{ query: '' }, 'query: '],
    [{ query: 5 }, 'query: '],
    [{ documents: [] }, 'documents: '],
    [{ documents: 'one' }, 'documents: '],
    [{ documents: Array.from({ length: 2_049 }, () => 'd') }, 'documents: '],
    [{ documents: [''] }, 'documents[0]'],
    [{ documents: ['a', {}] }, 'documents[1]: '],
    [{ documents: [{ text: null }] }, 'documents[0]: '],
    [{ documents: [{ image: 'file:///etc/passwd' }] }, 'documents[0]'],
    [{ top_n: 0 }, 'top_n: '],
    [{ top_n: 1.5 }, 'top_n: '],
    [{ provider: { onyl: [] } }, 'provider.onyl: '],
  ])('for %j', async (wrong, place) => {
    const { code, message } = await refusalOf({ model: 'sim/rerank', ...wrong });
    equal(code, 400);
    ok(message.includes(place), message);
  });

  test('if the model does not rank, or ranks only', async () => {
    deepEqual(await refusalOf({ model: 'sim/echo' }), {
      code: 400,
      message: 'sim/echo cannot be used with /rerank: it answers with text',
      availability: 'wrong_endpoint',
    });
    const answer = await routing.call({ model: 'sim/rerank', input: 'hello' });
    equal((await errorOf(answer)).availability?.['code'], 'wrong_endpoint');
  });

  test('if a document and the query are longer than the context', async () => {
    const { code } = await refusalOf({ model: 'test/small', documents: ['x'.repeat(200)] });
    equal(code, 400);
  });

  test('if the answer of the provider is malformed', async () => {
    equal((await refusalOf({ model: 'test/malformed' })).code, 502);
  });

  test('if the credits lack the worst case', async () => {
    const poor = await routingHarness({ creditsNanoUsd: 5_000n });
    try {
      const { code } = await errorOf(
        await poor.call({ model: 'sim/rerank', query, documents }, { dialect: 'rerank' }),
      );
      equal(code, 402);
      equal((await poor.receipts()).length, 0);
    } finally {
      await poor.stop();
    }
  });
});

describe('a guardrail', () => {
  const guarded = (rules: Parameters<typeof assignFilters>[1]): CallOptions => ({
    principal: { ...somebody, keyHash: assignFilters(routing.policies, rules) },
  });
  const ssn = 'My SSN is 123-45-6789.';

  test.each([
    ['the query', { query: ssn }],
    ['a document', { documents: ['plain', ssn] }],
  ])('blocks %s', async (_name, body) => {
    const reply = await ask(
      { model: 'sim/rerank', ...body },
      guarded({ builtin: { ssn: 'block' } }),
    );
    equal((await errorOf(reply)).code, 403);
  });

  test('redacts what the provider gets', async () => {
    const options = {
      ...guarded({ builtin: { ssn: 'redact' } }),
      client: { wantsMetadata: true },
    } as CallOptions;
    const body = { model: 'sim/rerank', query: 'SSN', documents: ['plain', ssn] };
    const answer = await ranked(body, options);
    deepEqual(
      answer.service_metadata?.pipeline?.map(({ summary }) => summary),
      ['redacted: [SSN]'],
    );
    const { receipt } = await factAndReceipt(answer.id);
    const sent = ['SSN', 'plain', 'SSN', 'My SSN is [SSN].'];
    equal(
      receipt?.input_tokens,
      sent.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0),
    );
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
      { model: 'sim/rerank', query: 'four', documents: ['four'] },
      { dialect: 'rerank', signal: gone.signal },
    );
    const fact = await eventually(() => left.ledger.facts[0], 'the fact');
    deepEqual([fact.costNanoUsd, fact.outcome], [2_000n, 'cancelled']);
  } finally {
    await left.stop();
  }
});
