import { deepEqual, equal } from 'node:assert/strict';
import type { UsageFact } from '@sluice/usage-facts';
import { describe, test } from 'vitest';
import {
  aByokFact,
  aDiscountedFact,
  aFact,
  aFailure,
  aToolFact,
} from '@sluice/usage-facts/testing';
import { generationOf } from './generation.ts';

const noMedia = { inputMedia: 0n, inputAudio: 0n, outputMedia: 0n, imageOutputTokens: 0n };
const partOf = (fact: UsageFact) => ({ ...fact, ...noMedia });
const counted = (...facts: readonly UsageFact[]) =>
  facts.map((fact) => ({ usageId: fact.usageId, part: partOf(fact) }));
const none = { byokNanoUsd: 0n, attempts: [], toolCalls: [] };
/** Returns the only turn of a generation. */
const turnOf = (fact: UsageFact, admittedAt = fact.admittedAt) => ({
  turn: 1,
  model: fact.model,
  provider: fact.provider,
  outcome: fact.outcome,
  finishReason: fact.finishReason,
  admittedAt,
  completedAt: fact.completedAt,
  latencyMs: fact.latencyMs,
  inputTokens: fact.inputTokens,
  outputTokens: fact.outputTokens,
  costNanoUsd: fact.costNanoUsd,
  feeNanoUsd: fact.feeNanoUsd,
  isByok: fact.isByok,
});

describe('a generation', () => {
  test('that nobody counted is none', () => equal(generationOf([]), undefined));

  test('is its only fact', () => {
    const fact = aFact();
    deepEqual(generationOf(counted(fact)), {
      ...partOf(fact),
      ...none,
      turns: [turnOf(fact)],
    });
  });

  test('of several facts ended as the last one and used what all of them used', () => {
    const first = aFact({ provider: 'broken', costNanoUsd: 3n, estimated: true, latencyMs: 7n });
    const last = aFact({ provider: 'good', costNanoUsd: 4n, latencyMs: 900n });
    const generation = generationOf(counted(first, last));
    deepEqual(
      [generation?.provider, generation?.costNanoUsd, generation?.estimated, generation?.latencyMs],
      ['good', 7n, true, 7n],
    );
    deepEqual(
      [generation?.inputTokens, generation?.cachedTokens, generation?.outputTokens],
      [20n, 8n, 40n],
    );
  });

  test('has the discounts of its facts, if it has any', () => {
    equal(generationOf(counted(aFact()))?.dataDiscountNanoUsd, undefined);
    const both = counted(aDiscountedFact(), aFact(), aDiscountedFact());
    equal(generationOf(both)?.dataDiscountNanoUsd, 20n);
    equal(generationOf(both)?.cacheDiscountNanoUsd, undefined);
    const cached = [30n, undefined, -10n].map((cacheDiscountNanoUsd) =>
      aFact({ cacheDiscountNanoUsd }),
    );
    equal(generationOf(counted(...cached))?.cacheDiscountNanoUsd, 20n);
  });

  test('leaves out attempts that failed before another one served', () => {
    const admittedAt = '2026-11-18T11:59:59.000Z';
    const served = aFact();
    deepEqual(generationOf(counted(aFailure({ admittedAt }), served)), {
      ...partOf(served),
      ...none,
      admittedAt,
      turns: [turnOf(served, admittedAt)],
    });
  });

  test('of which all attempts failed is the last of them', () => {
    const last = aFailure();
    deepEqual(generationOf(counted(aFailure(), last)), {
      ...partOf(last),
      ...none,
      turns: [turnOf(last)],
    });
  });
});

describe('a generation of several turns', () => {
  const attempt = { endpointId: 'e-1', latencyMs: 5n, isByok: false };
  const first = aFact({
    usageId: 'g/2/1',
    finishReason: 'tool-calls',
    latencyMs: 7n,
    costNanoUsd: 3n,
    upstreamId: 'resp_1',
    guardrailInvoked: true,
    attempts: [
      { ...attempt, provider: 'a', errorCode: 'unavailable' },
      { ...attempt, provider: 'b', errorCode: '' },
    ],
  });
  const second = aFact({
    usageId: 'g/1/2',
    admittedAt: '2026-11-18T12:00:05.000Z',
    completedAt: '2026-11-18T12:00:09.000Z',
    latencyMs: 900n,
    costNanoUsd: 4n,
    upstreamId: 'resp_2',
    serviceTier: 'flex',
    attempts: [{ ...attempt, provider: 'b', errorCode: '' }],
  });

  test('begins as the first, ends as the last, and used what all of them used', () => {
    const lost = aFailure({ usageId: 'g/1/1' });
    const generation = generationOf(counted(lost, second, first));
    const { admittedAt, latencyMs, completedAt, finishReason, upstreamId } = generation ?? {};
    deepEqual(
      [admittedAt, latencyMs, completedAt, finishReason, upstreamId],
      [first.admittedAt, 7n, second.completedAt, 'stop', 'resp_2'],
    );
    deepEqual(
      [generation?.costNanoUsd, generation?.inputTokens, generation?.guardrailInvoked],
      [7n, 20n, true],
    );
    deepEqual(
      generation?.attempts.map((one) => [one.turn, one.provider, one.upstreamId, one.serviceTier]),
      [
        [1, 'a', '', ''],
        [1, 'b', 'resp_1', ''],
        [2, 'b', 'resp_2', 'flex'],
      ],
    );
  });

  test('failed if the last one did, whatever came before', () => {
    const failed = aFailure({ usageId: 'g/1/2', inputTokens: 100n });
    const generation = generationOf(counted(first, failed));
    deepEqual(
      [generation?.outcome, generation?.costNanoUsd, generation?.latencyMs],
      ['failed', 3n, 7n],
    );
  });

  test('failed if the last one left nothing but its report', () => {
    const report = partOf(aFailure({ costNanoUsd: 0n, inputTokens: 0n, outputTokens: 0n }));
    const generation = generationOf(counted(first), [{ turn: 2, part: report }]);
    deepEqual(
      [generation?.outcome, generation?.costNanoUsd, generation?.inputTokens],
      ['failed', 3n, 10n],
    );
    const served = generationOf(counted(first, second), [{ turn: 2, part: report }]);
    equal(served?.outcome, 'completed');
  });

  test('pays its tools, of which none says how it ended', () => {
    const tool = aFact({
      usageId: 'g/tool/1',
      model: 'search',
      costNanoUsd: 10n,
      outcome: 'failed',
    });
    const generation = generationOf(counted(first, tool, second));
    deepEqual(
      [generation?.costNanoUsd, generation?.model, generation?.outcome],
      [17n, second.model, 'completed'],
    );
    equal(generationOf(counted(tool)), undefined);
  });

  test('pays what its tools asked models for, as a part of their calls', () => {
    const tool = aToolFact({ usageId: 'g/tool/2', costNanoUsd: 0n });
    const asked = aFact({ usageId: 'g/tool/2/1/1/3', costNanoUsd: 10n, inputTokens: 5n });
    const nested = aToolFact({ usageId: 'g/tool/2/1/tool/1', costNanoUsd: 20n });
    const own = aFact({
      usageId: 'g/tool/2/2/1/1',
      isByok: true,
      costNanoUsd: 9n,
      feeNanoUsd: 1n,
    });
    const generation = generationOf(counted(first, asked, nested, own, tool, second));
    deepEqual(
      [generation?.costNanoUsd, generation?.byokNanoUsd, generation?.turns.length],
      [46n, 9n, 2],
    );
    deepEqual(
      generation?.toolCalls.map(({ number, costNanoUsd }) => [number, costNanoUsd]),
      [[2, 31n]],
    );
  });

  test('that only went on with a worker ended as its call', () => {
    const tool = aToolFact({ usageId: 'g/tool/1', costNanoUsd: 0n });
    const asked = aFact({ usageId: 'g/tool/1/1/1/1', costNanoUsd: 10n, inputTokens: 5n });
    const generation = generationOf(counted(asked, tool));
    deepEqual(
      [generation?.outcome, generation?.costNanoUsd, generation?.inputTokens],
      [tool.outcome, 10n, 5n + tool.inputTokens],
    );
    deepEqual(generation?.turns, []);
  });

  test('tells its turns, and the calls of tools in their order', () => {
    const later = aToolFact({ usageId: 'g/tool/10', outcome: 'failed', costNanoUsd: 0n });
    const search = aToolFact({ usageId: 'g/tool/2', isByok: true, latencyMs: 80n });
    const facts = counted(first, later, search, second).map((fact) => ({
      ...fact,
      toolType: fact.part.toolType,
      counts: { searches: 1, searchResults: 5, images: 3 },
    }));
    const { turns, toolCalls, byokNanoUsd } = generationOf(facts) ?? {};
    deepEqual(
      turns?.map((one) => [one.turn, one.finishReason, one.costNanoUsd]),
      [
        [1, 'tool-calls', 3n],
        [2, 'stop', 4n],
      ],
    );
    deepEqual(toolCalls, [
      {
        number: 2,
        toolType: 'service:web_search',
        engine: 'exa',
        outcome: 'completed',
        admittedAt: search.admittedAt,
        completedAt: search.completedAt,
        latencyMs: 80n,
        costNanoUsd: 1_000n,
        isByok: true,
        counts: { searches: 1n, searchResults: 5n },
      },
      {
        ...toolCalls?.[0],
        number: 10,
        outcome: 'failed',
        latencyMs: 400n,
        costNanoUsd: 0n,
        isByok: false,
      },
    ]);
    equal(byokNanoUsd, 1_000n);
  });

  test('is no estimate where only a tool of it is', () => {
    const tool = aToolFact({ usageId: 'g/tool/1', estimated: true, outcome: 'interrupted' });
    equal(generationOf(counted(first, tool))?.estimated, false);
  });

  test('tells apart what credentials of the account paid', () => {
    const own = aByokFact({ usageId: 'g/1/1' });
    const generation = generationOf(counted(own, second));
    deepEqual(
      [generation?.costNanoUsd, generation?.byokNanoUsd, generation?.feeNanoUsd],
      [1_004n, 1_000n, 30n],
    );
  });
});
