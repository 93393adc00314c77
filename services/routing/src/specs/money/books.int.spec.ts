import { deepEqual, equal, ok } from 'node:assert/strict';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { Receipt } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { defaultLimits } from '../../turn/limits.ts';
import { shortLimits } from '../../testing/short-limits.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

const dialects = [
  'openai-responses',
  'openai-chat',
  'anthropic-messages',
  'google-gemini',
] as const;

/** One provider per dialect that stops when its stream is closed, at the simulator's prices. */
const catalogFile = (url: string) => `
providers:
${dialects.map((dialect) => `  - { slug: stops-${dialect}, name: S, dialect: ${dialect}, base_url: '${url}', cancels_streams: true }`).join('\n')}
models:
${dialects.map((dialect) => `  - { id: stops/${dialect}, provider: stops-${dialect}, upstream_model: echo, context_length: 128000, max_output_tokens: 4096, pricing: { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000005' } }`).join('\n')}
`;

/**
 * A timeout in place of another fault has other books: an estimate instead of a declared failure, for example. So only
 * what stalls is asked with timeouts that a test can wait for. Its head must be read within them on a busy machine.
 */
const patienceMs = 15_000;
const impatient = {
  ...shortLimits,
  firstOutputTimeoutMs: patienceMs,
  wholeTimeoutMs: patienceMs,
  idleTimeoutMs: patienceMs,
};
const { firstOutputTimeoutMs, wholeTimeoutMs, idleTimeoutMs } = defaultLimits;
const patient = { ...shortLimits, firstOutputTimeoutMs, wholeTimeoutMs, idleTimeoutMs };

let routing: RoutingHarness;
let stalling: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ limits: patient, catalogFile });
  stalling = await routingHarness({ limits: impatient, catalogFile });
  for (const one of cases) if (isStall(one.fault)) stalled.set(one, ask(one));
  // The test of the case reports the failure.
  for (const asked of stalled.values()) asked.catch(() => {});
});
afterAll(() => Promise.all([routing.stop(), stalling.stop()]));

const isStall = (fault: string) => fault.startsWith('stall') || fault === 'mute';
const routingFor = (fault: string) => (isStall(fault) ? stalling : routing);

/** One of each dialect. */
const models = ['echo', 'chat', 'messages', 'gemini'] as const;
/** The faults of the provider, and whether it writes a receipt. */
const faults = [
  ['none', true],
  ['cut-0', true],
  ['cut-1', true],
  ['cut-2', true],
  ['fail-0', true],
  ['fail-2', true],
  ['stall-0', true],
  ['stall-2', true],
  ['mute', true],
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

/** They have no streams, and an answer without chunks. */
const ofVectors = ['embedding', 'gemini-embedding'] as const;

const isAfterChunks = /-[12]$/;

const cases = [...models, ...ofVectors].flatMap((model) =>
  [false, true]
    .filter((stream) => !stream || !isOfVectors(model))
    .flatMap((stream) =>
      faults
        .filter(([fault]) => !isOfVectors(model) || !isAfterChunks.test(fault))
        .map(([fault, hasReceipt]) => ({ model, stream, fault, hasReceipt })),
    ),
);

/** All that stalls is asked at once, so that its tests wait for the timeouts together. */
const stalled = new Map<(typeof cases)[number], Promise<string>>();

function isOfVectors(model: string): boolean {
  return ofVectors.some((name) => name === model);
}

const usageIdOf = (generationId: string | undefined, attempt = 1) => `${generationId}/${attempt}/1`;
const factOf = (usageId: string, { ledger }: RoutingHarness = routing) =>
  ledger.facts.find((fact) => fact.usageId === usageId);
const receiptOf = async (usageId: string, of: RoutingHarness = routing) =>
  (await of.receipts()).find((receipt) => receipt.client_request_id === usageId);

/** Returns the cost of a receipt at the simulator's published prices. A failed generation costs nothing. */
function owedNanoUsd({ input_tokens, cached_tokens, output_tokens, outcome }: Receipt): bigint {
  if (outcome === 'failed') return 0n;
  return (
    BigInt(input_tokens - cached_tokens) * 1_000n +
    BigInt(cached_tokens) * 500n +
    BigInt(output_tokens) * 2_000n
  );
}

/** Returns the differences between a receipt and its fact. */
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

async function ask({ model, fault, stream }: (typeof cases)[number]): Promise<string> {
  const body = { model: `sim/${model}`, input: `[sim:${fault}] hello there`, stream };
  const dialect = isOfVectors(model) ? 'embeddings' : 'responses';
  const reply = await routingFor(fault).call(body, { dialect, mayBreak: true });
  await textOf(reply);
  return usageIdOf(reply.headers['x-generation-id']);
}

describe('each receipt of the provider has its usage fact', () => {
  test.concurrent.for(cases)('of $model, stream $stream, $fault', async (one) => {
    const { model, stream, fault, hasReceipt } = one;
    const usageId = await (stalled.get(one) ?? ask(one));
    if (!hasReceipt) return;
    const asked = routingFor(fault);
    const receipt = await eventually(() => receiptOf(usageId, asked), 'the receipt');
    // A dialect that reports the fault with a status refuses the answer: it is free and leaves nothing.
    if (fault.startsWith('fail') && !stream && model !== 'echo') {
      equal(owedNanoUsd(receipt), 0n);
      equal(factOf(usageId, asked), undefined);
      return;
    }
    const fact = await eventually(() => factOf(usageId, asked), `the fact of ${receipt.outcome}`);
    deepEqual(findings(receipt, fact), []);
  });
});

const firstFaults = ['cut-0', 'stall-0', 'mute', 'empty', 'malformed', 'fail-0'] as const;
const fallbacks = firstFaults.flatMap((fault) =>
  [false, true].map((stream) => ({ fault, stream })),
);

describe('an attempt that failed before another one answered', () => {
  test.concurrent.for(fallbacks)(
    'costs the operator, stream $stream, $fault',
    async ({ fault, stream }) => {
      const models = [`sim/sim-${fault}`, 'sim/echo'];
      const asked = routingFor(fault);
      const reply = await asked.call({ models, input: 'hello there', stream });
      await textOf(reply);
      equal(reply.status, 200);
      const generationId = reply.headers['x-generation-id'];
      const facts = [
        await eventually(() => factOf(usageIdOf(generationId, 1), asked), 'the fact of the first'),
        await eventually(() => factOf(usageIdOf(generationId, 2), asked), 'the fact of the second'),
      ] as const;
      deepEqual(
        facts.map(({ outcome, attempts }) => [outcome, attempts.length]),
        [
          ['failed', 1],
          ['completed', 2],
        ],
      );
      const [first, second] = facts;
      deepEqual([first.costNanoUsd, first.suspendedNanoUsd, first.feeNanoUsd], [0n, 0n, 0n]);
      const receipts = await asked.receipts();
      for (const fact of facts) {
        const receipt = receipts.find((one) => one.client_request_id === fact.usageId);
        deepEqual(receipt ? findings(receipt, fact) : [], []);
      }
      ok(second.costNanoUsd > 0n && second.costNanoUsd <= second.holdNanoUsd);
    },
  );
});

const moments = dialects.flatMap((dialect) =>
  [1, 20, 60, 150, 250].map((leavesMs) => ({ dialect, leavesMs })),
);

describe('a client that leaves a stream whose provider then stops', () => {
  test.concurrent.for(moments)(
    'pays for no more than was served, $dialect after $leavesMs ms',
    async ({ dialect, leavesMs }) => {
      const body = {
        model: `stops/${dialect}`,
        input: '[sim:words-20] [sim:slow-30]',
        stream: true,
      };
      const reply = await routing.call(body, { signal: AbortSignal.timeout(leavesMs) });
      await textOf(reply).catch(() => undefined);
      const generationId = reply.headers['x-generation-id'];
      await eventually(
        () =>
          factOf(usageIdOf(generationId)) ??
          routing.ledger.failures.find((one) => one.generation?.generationId === generationId),
        'its end',
      );
      // The provider may not have seen a call whose head was never read.
      const isAnswered = (factOf(usageIdOf(generationId))?.upstreamId ?? '') !== '';
      const receipt = await (isAnswered
        ? eventually(() => receiptOf(usageIdOf(generationId)), 'the receipt')
        : receiptOf(usageIdOf(generationId)));
      if (!receipt) return;
      const fact = await eventually(() => factOf(usageIdOf(generationId)), 'the fact');
      deepEqual(findings(receipt, fact), []);
      ok(fact.costNanoUsd <= owedNanoUsd(receipt));
    },
  );
});
