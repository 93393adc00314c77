import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { costNanoUsd, holdNanoUsd } from '@sluice/inference';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { PriceOverride, Pricing } from './catalog.ts';
import { pricesOf, pricingProblem, timedPricesOf } from './pricing.ts';

test('every price of the catalog is read exactly', () => {
  const pricing = {
    prompt: '0.000000000000000001',
    completion: '0.000000000000000002',
    request: '0.000000000000000003',
    input_cache_read: '0.000000000000000004',
    input_cache_write: '0.000000000000000005',
    input_cache_write_1h: '0.000000000000000006',
    internal_reasoning: '0.000000000000000007',
    image: '0.000000000000000008',
    image_token: '0.000000000000000009',
    image_output: '0.00000000000000001',
    audio: '0.000000000000000011',
    input_audio_cache: '0.000000000000000012',
    audio_output: '123456789.000000000000000013',
  };
  deepEqual(pricesOf(pricing), {
    inputTokenAttoUsd: 1n,
    outputTokenAttoUsd: 2n,
    requestAttoUsd: 3n,
    cachedTokenAttoUsd: 4n,
    cacheWriteTokenAttoUsd: 5n,
    cacheWriteHourTokenAttoUsd: 6n,
    reasoningTokenAttoUsd: 7n,
    imageAttoUsd: 8n,
    imageInputTokenAttoUsd: 9n,
    imageOutputTokenAttoUsd: 10n,
    audioInputTokenAttoUsd: 11n,
    cachedAudioTokenAttoUsd: 12n,
    audioOutputTokenAttoUsd: 123_456_789_000_000_000_000_000_013n,
  });
});

test('what the catalog leaves out is left to the rule, and what is no decimal is refused by name', () => {
  deepEqual(pricesOf({ prompt: '1', completion: '2' }), {
    inputTokenAttoUsd: 10n ** 18n,
    cachedTokenAttoUsd: 10n ** 18n,
    outputTokenAttoUsd: 2n * 10n ** 18n,
    requestAttoUsd: 0n,
  });
  throws(() => pricesOf({ prompt: '1', completion: '2', audio: '1e-7' }), /^TypeError: audio must/);
});

const usd = (decimal: string) => pricesOf({ prompt: decimal, completion: '0' }).inputTokenAttoUsd;
const pricing = { prompt: '0.000001', completion: '0.000002' };

describe('an override', () => {
  test('of long prompts holds above its bound, with all prices that it does not name', () => {
    const long = { min_prompt_tokens: 200_000, prompt: '0.000002', input_cache_read: '0.0000001' };
    const { tiers = [], ...below } = pricesOf({ ...pricing, request: '0.01', overrides: [long] });
    deepEqual(below, pricesOf({ ...pricing, request: '0.01' }));
    deepEqual(tiers, [
      {
        aboveTokens: 200_000,
        prices: pricesOf({
          prompt: '0.000002',
          completion: '0.000002',
          input_cache_read: '0.0000001',
          request: '0.01',
        }),
      },
    ]);
  });

  test('wins over the ones before it, price by price', () => {
    const overrides = [
      { min_prompt_tokens: 100, prompt: '3', completion: '4' },
      { min_prompt_tokens: 50, prompt: '5' },
    ];
    const { tiers = [] } = pricesOf({ ...pricing, overrides });
    deepEqual(
      tiers.map(({ aboveTokens, prices }) => [
        aboveTokens,
        prices.inputTokenAttoUsd,
        prices.outputTokenAttoUsd,
      ]),
      [
        [50, usd('5'), usd('0.000002')],
        [100, usd('5'), usd('4')],
      ],
    );
  });

  test('of a window of time holds from its start on, before its end, and over midnight', () => {
    const at = timedPricesOf({
      ...pricing,
      overrides: [
        { utc_start: '0030', utc_end: '1630', prompt: '1' },
        { utc_start: '2200', utc_end: '0010', completion: '2' },
        // A Saturday.
        { utc_days: [6], prompt: '3' },
      ],
    });
    ok(at);
    const [plain, day, night] = [usd('0.000001'), usd('1'), usd('2')];
    for (const [instant, input, output] of [
      ['2026-11-20T00:29:59.999Z', plain, usd('0.000002')],
      ['2026-11-20T00:30:00.000Z', day, usd('0.000002')],
      ['2026-11-20T16:29:59.999Z', day, usd('0.000002')],
      ['2026-11-20T16:30:00.000Z', plain, usd('0.000002')],
      ['2026-11-20T22:00:00.000Z', plain, night],
      ['2026-11-20T00:09:59.000Z', plain, night],
      ['2026-11-20T00:10:00.000Z', plain, usd('0.000002')],
      ['2026-11-21T12:00:00.000Z', usd('3'), usd('0.000002')],
    ] as const) {
      const prices = at(new Date(instant));
      deepEqual([prices.inputTokenAttoUsd, prices.outputTokenAttoUsd], [input, output], instant);
    }
  });

  test('with conditions of both kinds needs both, and does not stand among the usual prices', () => {
    const both = { min_prompt_tokens: 10, utc_start: '0000', utc_end: '1200', prompt: '1' };
    const timed = { ...pricing, overrides: [both] };
    equal(pricesOf(timed).tiers, undefined);
    equal(timedPricesOf(timed)?.(new Date('2026-11-21T13:00:00Z')).tiers, undefined);
    const { tiers } = timedPricesOf(timed)?.(new Date('2026-11-21T11:00:00Z')) ?? {};
    equal(tiers?.[0]?.prices.inputTokenAttoUsd, usd('1'));
    equal(
      timedPricesOf({ ...pricing, overrides: [{ min_prompt_tokens: 1, prompt: '1' }] }),
      undefined,
    );
  });

  test.each<[PriceOverride, string]>([
    [{ prompt: '1' }, 'overrides[0] has no condition'],
    [{ min_prompt_tokens: 1 }, 'overrides[0] has no price'],
    [{ utc_start: '0000', prompt: '1' }, 'overrides[0] needs both utc_start and utc_end'],
    [{ utc_end: '0000', prompt: '1' }, 'overrides[0] needs both utc_start and utc_end'],
  ])('such as %j is refused', (override, problem) => {
    equal(pricingProblem({ ...pricing, overrides: [override] }), problem);
    equal(pricingProblem(pricing), undefined);
  });
});

describe('a discount', () => {
  test('is taken off every price, exactly', () => {
    const { tiers, ...prices } = pricesOf({
      prompt: '0.000001',
      completion: '0.000003',
      request: '0.01',
      discount: 0.25,
      overrides: [{ min_prompt_tokens: 9, prompt: '0.000002' }],
    });
    deepEqual(
      prices,
      pricesOf({ ...pricing, prompt: '0.00000075', completion: '0.00000225', request: '0.0075' }),
    );
    equal(tiers?.[0]?.prices.inputTokenAttoUsd, usd('0.0000015'));
    equal(pricesOf({ ...pricing, discount: 1 }).inputTokenAttoUsd, 0n);
  });

  test('that cannot be taken off exactly is refused', () => {
    equal(
      pricingProblem({ ...pricing, prompt: '0.000000000000000001', discount: 0.5 }),
      'prompt after the discount has more than 18 decimal places',
    );
    for (const discount of [-0.1, 1.1, 0.1234567, 1e-7])
      ok(
        pricingProblem({ ...pricing, discount })?.startsWith('discount must be'),
        String(discount),
      );
  });
});

const decimal = fc.nat({ max: 1_000_000 }).map((atto) => `0.${String(atto).padStart(12, '0')}`);
const override: fc.Arbitrary<PriceOverride> = fc.record(
  {
    min_prompt_tokens: fc.nat({ max: 1_000 }),
    prompt: decimal,
    completion: decimal,
    input_cache_read: decimal,
  },
  { requiredKeys: ['min_prompt_tokens', 'prompt'] },
);
const anyPricing: fc.Arbitrary<Pricing> = fc.record({
  prompt: decimal,
  completion: decimal,
  input_cache_read: decimal,
  discount: fc.constantFrom(0, 0.1, 0.5),
  overrides: fc.array(override, { maxLength: 4 }),
});

test('a cost is by the rule as it is written, and never above the hold', () => {
  const counts = fc.tuple(fc.nat({ max: 1_200 }), fc.nat({ max: 1_000 }));
  fc.assert(
    fc.property(anyPricing, counts, ({ discount = 0, overrides = [], ...all }, [input, output]) => {
      let written: Omit<Pricing, 'overrides'> = all;
      for (const { min_prompt_tokens: bound = 0, ...prices } of overrides)
        if (input > bound) written = { ...written, ...prices } as typeof written;
      // In 10⁻¹³ USD, so that a tenth is exact.
      const units = (text: string) => BigInt(text.replace('0.', '')) * BigInt(10 - discount * 10);
      const cached = Math.floor(input / 3);
      const sum =
        BigInt(input - cached) * units(written.prompt) +
        BigInt(cached) * units(written.input_cache_read ?? '') +
        BigInt(output) * units(written.completion);
      const prices = pricesOf({ ...all, discount, overrides });
      const usage = {
        inputTokens: input,
        cachedTokens: cached,
        outputTokens: output,
        reasoningTokens: 0,
      };
      const cost = costNanoUsd(usage, prices);
      equal(cost, (sum + 5_000n) / 10_000n);
      ok(cost <= holdNanoUsd({ inputTokensMax: input, outputTokensMax: output }, prices));
    }),
  );
});
