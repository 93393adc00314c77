import { deepEqual } from 'node:assert/strict';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { Receipt } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { shortLimits } from './testing/short-limits.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from './testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ limits: shortLimits });
});
afterAll(() => routing.stop());

/** One of each dialect. */
const models = ['echo', 'chat', 'messages', 'gemini'] as const;
/** What the provider does, and whether it writes a receipt. */
const faults = [
  ['none', true],
  ['cut-0', true],
  ['cut-1', true],
  ['cut-2', true],
  ['fail-0', true],
  ['fail-2', true],
  ['stall-0', true],
  ['stall-2', true],
  ['empty', true],
  ['no-usage', true],
  ['absurd-usage', true],
  ['negative-usage', true],
  ['garbled-usage', true],
  ['filter', true],
  ['refuse', true],
  ['malformed', false],
  ['error-500', false],
  ['error-429', false],
] as const;

const cases = models.flatMap((model) =>
  [false, true].flatMap((stream) =>
    faults.map(([fault, hasReceipt]) => ({ model, stream, fault, hasReceipt })),
  ),
);

const usageIdOf = (generationId: string | undefined) => `${generationId}/1/1`;
const factOf = (usageId: string) => routing.ledger.facts.find((fact) => fact.usageId === usageId);
const receiptOf = async (usageId: string) =>
  (await routing.receipts()).find((receipt) => receipt.client_request_id === usageId);

/** By the simulator's published prices. Generations that failed have none. */
function owedNanoUsd({ input_tokens, cached_tokens, output_tokens, outcome }: Receipt): bigint {
  if (outcome === 'failed') return 0n;
  return (
    BigInt(input_tokens - cached_tokens) * 1_000n +
    BigInt(cached_tokens) * 500n +
    BigInt(output_tokens) * 2_000n
  );
}

/** What is not so of a receipt and its fact. */
function findings(receipt: Receipt, fact: UsageRecorded): readonly string[] {
  const { costNanoUsd: cost, upstreamCostNanoUsd: upstream = cost } = fact;
  const { suspendedNanoUsd: suspended, operatorSuspendedNanoUsd: operators } = fact;
  const owed = owedNanoUsd(receipt);
  const found: string[] = [];
  if (owed < upstream || owed > upstream + suspended + operators)
    found.push(`the provider is owed ${owed}, of ${upstream} and ${suspended + operators} open`);
  if (fact.outcome === 'failed' && cost + suspended > 0n)
    found.push(`what failed costs the customer ${cost}, and ${suspended} in suspense`);
  if (fact.outcome === 'completed' && receipt.outcome !== 'completed')
    found.push(`completed, where the receipt says ${receipt.outcome}`);
  return found;
}

async function ask(model: string, fault: string, stream: boolean, signal?: AbortSignal) {
  const body = { model: `sim/${model}`, input: `[sim:${fault}] hello there`, stream };
  const reply = await routing.call(body, { ...(signal && { signal }), mayBreak: true });
  await textOf(reply);
  return usageIdOf(reply.headers['x-generation-id']);
}

describe('each receipt of the provider has its usage fact', () => {
  test.concurrent.for(cases)(
    'of $model, stream $stream, $fault',
    async ({ model, stream, fault, hasReceipt }) => {
      const usageId = await ask(model, fault, stream);
      if (!hasReceipt) return;
      const receipt = await eventually(() => receiptOf(usageId), 'the receipt');
      // A status that says no is free: where nothing is owed, nothing need be written down.
      if (owedNanoUsd(receipt) === 0n && receipt.outcome === 'failed' && !factOf(usageId)) return;
      const fact = await eventually(() => factOf(usageId), `the fact of ${receipt.outcome}`);
      deepEqual(findings(receipt, fact), []);
    },
  );
});
