import { deepEqual, equal } from 'node:assert/strict';
import type { StreamPart } from '@sluice/inference';
import { describe, test } from 'vitest';
import { billedNanoUsd, servedNanoUsd } from '@sluice/rating';
import { Meter } from './meter.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const here = { isClientGone: false };
const usage = { inputTokens: 7, cachedTokens: 2, outputTokens: 5, reasoningTokens: 1 };
const prices = {
  inputTokenAttoUsd: 1_000_000_000n,
  cachedTokenAttoUsd: 0n,
  outputTokenAttoUsd: 10_000_000_000n,
  requestAttoUsd: 0n,
};

const said: readonly StreamPart[] = [
  { type: 'response-start', upstreamId: 'up-1' },
  { type: 'reasoning-start', part: 0 },
  { type: 'reasoning-delta', part: 0, delta: 'hmmmm' },
  { type: 'reasoning-end', part: 0 },
  { type: 'text-start', part: 1 },
  { type: 'text-delta', part: 1, delta: 'a' },
  { type: 'text-delta', part: 1, delta: 'bé€' },
];

const finish = (more: object = {}): StreamPart => ({
  type: 'finish',
  reason: 'stop',
  nativeReason: undefined,
  usage,
  ...more,
});
const error = (more: object = {}): StreamPart => ({
  type: 'error',
  code: 'provider_unavailable',
  message: 'broke',
  providerCode: undefined,
  usage: undefined,
  ...more,
});

function ended(parts: readonly StreamPart[], client = here) {
  const meter = new Meter({ inputTokens: 9, contextLength: 100 });
  for (const part of parts) meter.add(part);
  const outcome = meter.outcome(at, client);
  return { ...outcome, billed: billedNanoUsd(prices, outcome) };
}

test('our own count goes no further than the limit that was sent; that of the provider does', () => {
  const flood: StreamPart = { type: 'text-delta', part: 1, delta: 'x'.repeat(4_000) };
  const outputTokens = (...parts: readonly StreamPart[]) => {
    const meter = new Meter({ inputTokens: 9, outputTokensMax: 16 });
    for (const part of parts) meter.add(part);
    return meter.outcome(at, here).usage.outputTokens;
  };
  equal(outputTokens(...said, flood, error()), 16);
  equal(outputTokens(...said, flood, finish({ usage: { ...usage, outputTokens: 99 } })), 99);
  equal(outputTokens(...said, error()), 4);
});

describe('the meter', () => {
  test('takes the counts of the upstream when there are some', () => {
    const outcome = ended([...said, finish()]);
    deepEqual(outcome, {
      outcome: 'completed',
      finishReason: 'stop',
      usage,
      isEstimated: false,
      isDeclaredFailure: false,
      upstreamId: 'up-1',
      completedAt: at,
      nativeFinishReason: undefined,
      beginning: undefined,
      estimateReason: undefined,
      providerUsage: undefined,
      serviceTier: undefined,
      inputMedia: undefined,
      outputMedia: 0,
      billed: 55n,
    });
  });

  test.each([
    ['as many as were seen', { outputTokens: 20 }, 2],
    ['no more than all output', { outputTokens: 1 }, 1],
    ['no more than the output that is text', { outputTokens: 9, imageOutputTokens: 8 }, 1],
    ['those that the upstream counted', { outputTokens: 20, reasoningTokens: 7 }, 7],
  ] as const)('takes of thoughts that were told %s', (_, counts, reasoningTokens) => {
    const reported = { inputTokens: 5, cachedTokens: 0, reasoningTokens: 0, ...counts };
    const outcome = ended([...said, finish({ usage: reported })]);
    deepEqual([outcome.usage, outcome.isEstimated], [{ ...reported, reasoningTokens }, false]);
  });

  test('counts no thoughts if none were received', () => {
    const silent = said.filter(({ type }) => !type.startsWith('reasoning'));
    const reported = { inputTokens: 5, cachedTokens: 0, outputTokens: 20, reasoningTokens: 0 };
    deepEqual(ended([...silent, finish({ usage: reported })]).usage, reported);
  });

  test("keeps the upstream's own word for the end, and how it came to the first output", () => {
    const beginning = { latencyMs: 12, attempts: [], routing: '' };
    const meter = new Meter({ inputTokens: 9, beginning });
    for (const part of [...said, finish({ nativeReason: 'end_turn' })]) meter.add(part);
    const outcome = meter.outcome(at, here);
    equal(outcome.nativeFinishReason, 'end_turn');
    equal(outcome.beginning, beginning);
  });

  test('counts four bytes as a token, part by part, when there are none', () => {
    const outcome = ended([...said, finish({ usage: undefined })]);
    equal(outcome.isEstimated, true);
    deepEqual(outcome.usage, {
      inputTokens: 9,
      cachedTokens: 0,
      outputTokens: 4,
      reasoningTokens: 2,
    });
    equal(outcome.billed, 49n);
  });

  test('counts itself when the upstream tells what cannot be true, and keeps that', () => {
    const unread = ended([
      ...said,
      { type: 'unread-usage', raw: '{"a":-1}' },
      finish({ usage: undefined }),
    ]);
    deepEqual(
      [unread.estimateReason, unread.providerUsage, unread.billed],
      ['absurd_usage', '{"a":-1}', 49n],
    );
    const absurd = { ...usage, outputTokens: 401 };
    const above = ended([...said, finish({ usage: absurd })]);
    deepEqual(
      [above.estimateReason, above.providerUsage, above.billed],
      ['absurd_usage', JSON.stringify(absurd), 49n],
    );
    const most = ended([...said, finish({ usage: { ...usage, outputTokens: 400 } })]);
    deepEqual([most.isEstimated, most.providerUsage], [false, undefined]);
  });

  test('believes what an upstream tells after something else', () => {
    const outcome = ended([...said, { type: 'unread-usage', raw: '{}' }, finish()]);
    deepEqual(
      [outcome.isEstimated, outcome.providerUsage, outcome.billed],
      [false, undefined, 55n],
    );
  });

  test('tells an end by a limit from one by itself', () => {
    equal(ended([...said, finish({ reason: 'length' })]).outcome, 'incomplete');
    equal(ended([...said, finish({ reason: 'content-filter' })]).outcome, 'incomplete');
    equal(ended([...said, finish({ reason: 'tool-calls' })]).outcome, 'completed');
  });

  test('bills nothing of a cut answer, and knows what was served of it', () => {
    const outcome = ended([...said, error()]);
    deepEqual([outcome.outcome, outcome.isEstimated, outcome.billed], ['failed', true, 0n]);
    equal(servedNanoUsd(prices, outcome), 49n);
  });

  test('takes what was seen of a cut answer where its counts are of its beginning', () => {
    const begun = { ...usage, outputTokens: 1, reasoningTokens: 0 };
    deepEqual(ended([...said, error({ usage: begun })]).usage, {
      ...begun,
      outputTokens: 4,
      reasoningTokens: 2,
    });
    deepEqual(ended([...said, error({ usage })]).usage, usage);
  });

  test('bills nothing of an answer that failed when its client had left', () => {
    const outcome = ended([...said, error()], { ...here, isClientGone: true });
    deepEqual([outcome.outcome, outcome.billed], ['failed', 0n]);
  });

  test('does not bill a failure that the provider declares, nor one without output', () => {
    equal(ended([...said, error({ providerCode: 'server_error', usage })]).billed, 0n);
    equal(ended([{ type: 'text-start', part: 0 }, error()]).billed, 0n);
  });

  test('bills an answer that is empty but has an end', () => {
    equal(ended([finish({ usage: { ...usage, outputTokens: 0 } })]).billed, 5n);
  });

  test('bills what was served to a client that left', () => {
    const whole = ended([...said, finish()], { isClientGone: true });
    deepEqual([whole.outcome, whole.isEstimated, whole.billed], ['cancelled', false, 55n]);
    const cut = ended(said, { isClientGone: true });
    deepEqual([cut.outcome, cut.isEstimated, cut.billed], ['cancelled', true, 49n]);
  });

  test('each picture that was sent is counted, which no upstream tells', () => {
    const meter = new Meter({ inputTokens: 9, inputImages: 2 });
    const { usage } = meter.outcome(new Date(0), { isClientGone: false });
    deepEqual([usage.inputTokens, usage.images], [9, 2]);
  });
});
