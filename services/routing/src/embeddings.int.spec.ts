import { deepEqual, equal, ok } from 'node:assert/strict';
import type { InferenceReply } from '@sluice/inference';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  errorOf,
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from './testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

const models = ['sim/embedding', 'sim/gemini-embedding'] as const;

interface Vectors {
  readonly object: string;
  readonly id: string;
  readonly model: string;
  readonly data: readonly {
    readonly object: string;
    readonly index: number;
    readonly embedding: readonly number[] | string;
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly total_tokens: number;
    readonly cost: number;
    readonly is_byok: boolean;
  };
}

const ask = (body: object) => routing.call(body, { dialect: 'embeddings' });

async function vectorsOf(reply: InferenceReply): Promise<Vectors> {
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return JSON.parse(text) as Vectors;
}

const lengthOf = (vector: readonly number[]) => Math.hypot(...vector);

describe.each(models)('vectors of %s', (model) => {
  test('come in the order of the inputs, and the books have what the provider served', async () => {
    const reply = await ask({ model, input: ['four', 'eightlet', 'four'] });
    const { object, id, data, usage, model: served } = await vectorsOf(reply);
    deepEqual([object, served], ['list', model]);
    equal(id, reply.headers['x-generation-id']);
    deepEqual(
      data.map(({ index }) => index),
      [0, 1, 2],
    );
    const [first, second, third] = data.map(({ embedding }) => embedding as readonly number[]);
    deepEqual(first, third);
    ok(first && second && Math.abs(lengthOf(first) - 1) < 1e-6 && first[0] !== second[0]);
    equal(first.length, 64);
    deepEqual(
      [usage.prompt_tokens, usage.total_tokens, usage.cost, usage.is_byok],
      [4, 4, 0.000_004, false],
    );
    const usageId = `${id}/1/1`;
    const fact = await eventually(
      () => routing.ledger.facts.find((one) => one.usageId === usageId),
      'the fact',
    );
    const receipts = await routing.receipts();
    const receipt = receipts.find((one) => one.client_request_id === usageId);
    ok(receipt);
    deepEqual(
      [fact.inputTokens, fact.outputTokens, fact.costNanoUsd, fact.outcome, fact.estimated],
      [BigInt(receipt.input_tokens), 0n, 4_000n, 'completed', false],
    );
  });
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
