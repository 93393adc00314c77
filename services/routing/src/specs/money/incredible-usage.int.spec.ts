import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
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

describe('usage that cannot be true', () => {
  for (const prefix of ['', 'chat-'])
    for (const fault of ['negative', 'absurd', 'garbled'])
      for (const stream of [true, false])
        test.concurrent(`is not charged: ${prefix}${fault} (stream: ${String(stream)})`, async () => {
          const model = `sim/${prefix}sim-${fault}-usage`;
          const reply = await routing.call({ model, input: 'hello you', stream });
          equal(reply.status, 200);
          await textOf(reply);
          const id = reply.headers['x-generation-id'];
          const fact = await eventually(
            () => routing.ledger.facts.find(({ generationId }) => generationId === id),
            'the usage fact',
          );
          const receipt = (await routing.receipts()).find((one) => one.id === fact.upstreamId);
          ok(receipt);
          // The output that routing counted itself is charged. The rest of the hold is in suspense.
          deepEqual([fact.estimated, fact.estimateReason], [true, 'absurd_usage']);
          equal(fact.outputTokens, BigInt(receipt.output_tokens));
          ok(fact.costNanoUsd > 0n && fact.suspendedNanoUsd > 0n);
          equal(fact.costNanoUsd + fact.suspendedNanoUsd, fact.holdNanoUsd);
          match(fact.providerUsage.toString(), fault === 'garbled' ? /many/ : /tokens/i);
          const correction = await eventually(
            () => routing.ledger.corrections.get(fact.usageId),
            'what the provider says when it is asked again',
          );
          equal(correction.outputTokens, BigInt(receipt.output_tokens));
        });

  test('is counted in the metrics', async () => {
    match(await routing.metrics(), /^usage_incredible_total\{.*reason="absurd_usage".*\} 12/m);
  });
});
