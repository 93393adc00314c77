import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ClientDialectName } from '@sluice/inference-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// The limit of all attempts together is ours: 408. That of one attempt is a time-out of its provider: 524.

let routing: RoutingHarness;
beforeAll(async () => {
  // A busy machine has the time to send a request: one that was not sent has no fact.
  routing = await routingHarness({ limits: { totalTimeoutMs: 3_000 } });
});
afterAll(() => routing.stop());

interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly error_type?: string;
    readonly metadata?: { readonly error_type: string };
  };
}

const hang = '[sim:hang]';
const messages = [{ role: 'user', content: hang }];

const bodies: readonly (readonly [ClientDialectName, object])[] = [
  ['responses', { model: 'sim/echo', input: hang }],
  ['chat-completions', { model: 'sim/echo', messages }],
  ['messages', { model: 'sim/echo', messages, max_tokens: 10 }],
  ['embeddings', { model: 'sim/embedding', input: hang }],
  ['embeddings', { model: 'sim/gemini-embedding', input: hang }],
];

const factOf = (id: string | undefined) =>
  eventually(
    () => routing.ledger.facts.find(({ generationId }) => generationId === id),
    `the fact of ${String(id)}`,
  );

describe('an answer that does not come in time', () => {
  test.concurrent.each(bodies)('is a 408 of %s: %o', async (dialect, body) => {
    const reply = await routing.call(body, { dialect });
    const { error } = JSON.parse(await textOf(reply)) as ErrorBody;
    deepEqual([reply.status, error.metadata?.error_type ?? error.error_type], [408, 'timeout']);
    ok(error.message.length > 0);
    equal(reply.headers['retry-after'], '1');
    const fact = await factOf(reply.headers['x-generation-id']);
    deepEqual([fact.outcome, fact.costNanoUsd], ['failed', 0n]);
  });

  test('is a 408 between the calls of a batch, and what was answered is in the books', async () => {
    // The second call hangs: the directive is its last text.
    const input = Array.from({ length: 150 }, () => 'four').with(149, hang);
    const reply = await routing.call(
      { model: 'sim/gemini-embedding', input },
      { dialect: 'embeddings' },
    );
    equal(reply.status, 408, await textOf(reply));
    const fact = await factOf(reply.headers['x-generation-id']);
    deepEqual(
      [fact.outcome, fact.costNanoUsd, fact.inputTokens, fact.upstreamCostNanoUsd],
      ['failed', 0n, 100n, 100_000n],
    );
  });
});
