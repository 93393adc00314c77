import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  affordableOutputTokens,
  costNanoUsd,
  costSharesNanoUsd,
  searchCostNanoUsd,
  holdNanoUsd,
  nanoUsdToDecimal,
  nanoUsdToNumber,
  parsePriceAttoUsd,
  pricesFor,
  type PlainPrices,
  type Prices,
} from './index.ts';

const price = (decimal: string) => {
  const atto = parsePriceAttoUsd(decimal);
  ok(atto !== undefined, decimal);
  return atto;
};
const prices = (input: string, cached: string, output: string, request = '0'): Prices => ({
  inputTokenAttoUsd: price(input),
  cachedTokenAttoUsd: price(cached),
  outputTokenAttoUsd: price(output),
  requestAttoUsd: price(request),
});
const usage = (inputTokens: number, cachedTokens: number, outputTokens: number) => ({
  inputTokens,
  cachedTokens,
  outputTokens,
  reasoningTokens: 0,
});

describe('a price', () => {
  test('is read exactly from its decimal text', () => {
    equal(price('0.00000015'), 150_000_000_000n);
    equal(price('12'), 12n * 10n ** 18n);
    equal(price('0.000000000000000001'), 1n);
  });

  test('is refused when it is no plain decimal', () => {
    for (const text of ['', '-1', '1e-7', '.5', '1.', ' 1', '0x1', '1,5', '0.0000000000000000001'])
      equal(parsePriceAttoUsd(text), undefined, text);
  });
});

describe('a cost', () => {
  test('takes cached tokens out of the input', () => {
    equal(
      costNanoUsd(usage(1000, 400, 10), prices('0.000001', '0.0000001', '0.000002')),
      600_000n + 40_000n + 20_000n,
    );
  });

  test('is rounded half up, once, over the whole sum', () => {
    const half = prices('0.0000000005', '0', '0.0000000005');
    equal(costNanoUsd(usage(1, 0, 0), half), 1n);
    equal(costNanoUsd(usage(1, 0, 1), half), 1n);
    equal(costNanoUsd(usage(2, 0, 1), half), 2n);
    equal(costNanoUsd(usage(4, 0, 0), prices('0.0000000001', '0', '0')), 0n);
  });

  test('takes special tokens out of the plain ones, each at its own price', () => {
    const some: Prices = {
      ...prices('0.000001', '0.0000001', '0.000002'),
      cacheWriteTokenAttoUsd: price('0.00000125'),
      audioInputTokenAttoUsd: price('0.00001'),
      reasoningTokenAttoUsd: price('0.000003'),
      imageOutputTokenAttoUsd: price('0.00004'),
      imageAttoUsd: price('0.001'),
    };
    const used = {
      inputTokens: 1_000,
      cachedTokens: 400,
      cacheWriteTokens: 300,
      audioInputTokens: 200,
      outputTokens: 50,
      reasoningTokens: 20,
      imageOutputTokens: 10,
      images: 2,
    };
    const input = 100n * 1_000n + 400n * 100n + 300n * 1_250n + 200n * 10_000n + 2n * 1_000_000n;
    const output = 20n * 2_000n + 20n * 3_000n + 10n * 40_000n;
    equal(costNanoUsd(used, some), input + output);
    const shares = costSharesNanoUsd(used, some);
    equal(shares.inputNanoUsd, input);
    equal(shares.outputNanoUsd, output);
  });

  test('has the searches of the provider, beside its tokens', () => {
    const some = { ...prices('0.000001', '0', '0.000002'), webSearchAttoUsd: price('0.01') };
    const used = { ...usage(1_000, 0, 500), webSearches: 3 };
    equal(costNanoUsd(used, some), 32_000_000n);
    equal(searchCostNanoUsd(used, some), 30_000_000n);
    equal(searchCostNanoUsd(usage(1_000, 0, 500), some), 0n);
  });

  test('of special tokens without a price is that of the plain ones', () => {
    const some = prices('0.000001', '0.0000001', '0.000002');
    const special = {
      ...usage(1_000, 400, 50),
      cacheWriteTokens: 100,
      cacheWriteHourTokens: 100,
      imageInputTokens: 100,
      audioInputTokens: 100,
      audioOutputTokens: 50,
      images: 3,
    };
    equal(costNanoUsd(special, some), costNanoUsd(usage(1_000, 400, 50), some));
    const written = { ...some, cacheWriteTokenAttoUsd: price('0.000002') };
    equal(costNanoUsd({ ...usage(10, 0, 0), cacheWriteHourTokens: 10 }, written), 20_000n);
    equal(costNanoUsd({ ...usage(10, 0, 0), cachedAudioTokens: 10 }, written), 1_000n);
  });
});

describe('above a number of tokens of input', () => {
  const low = prices('0.000001', '0.0000001', '0.000002', '0.001');
  const high = prices('0.000004', '0.0000004', '0.000008', '0.002');
  const middle = prices('0.000003', '0.0000003', '0.000006', '0.001');
  const some: Prices = {
    ...low,
    tiers: [
      { aboveTokens: 100, prices: high },
      { aboveTokens: 200, prices: middle },
    ],
  };

  test('all of a request has the price of that tier, and of the bound itself not yet', () => {
    for (const [inputTokens, its] of [
      [0, low],
      [100, low],
      [101, high],
      [200, high],
      [201, middle],
      [1_000_000, middle],
    ] as const) {
      const used = usage(inputTokens, 10, 50);
      equal(costNanoUsd(used, some), costNanoUsd(used, its), String(inputTokens));
      deepEqual(costSharesNanoUsd(used, some), costSharesNanoUsd(used, its));
      equal(pricesFor(some, inputTokens).inputTokenAttoUsd, its.inputTokenAttoUsd);
    }
  });

  test('the hold is that of the dearest tier in reach', () => {
    const held = (inputTokensMax: number, its: Prices) =>
      holdNanoUsd({ inputTokensMax, outputTokensMax: 10 }, its);
    equal(held(100, some), held(100, low));
    equal(held(101, some), held(101, high));
    equal(held(201, some), held(201, high));
  });
});

const atto = fc.bigInt({ min: 0n, max: 10n ** 16n });
/** Any prices; each special one may be absent. */
const plainPrices: fc.Arbitrary<PlainPrices> = fc
  .record(
    {
      inputTokenAttoUsd: atto,
      cachedTokenAttoUsd: atto,
      outputTokenAttoUsd: atto,
      requestAttoUsd: atto,
      cacheWriteTokenAttoUsd: atto,
      cacheWriteHourTokenAttoUsd: atto,
      imageInputTokenAttoUsd: atto,
      audioInputTokenAttoUsd: atto,
      cachedAudioTokenAttoUsd: atto,
      reasoningTokenAttoUsd: atto,
      imageOutputTokenAttoUsd: atto,
      audioOutputTokenAttoUsd: atto,
      imageAttoUsd: atto,
      webSearchAttoUsd: atto,
    },
    {
      requiredKeys: [
        'inputTokenAttoUsd',
        'cachedTokenAttoUsd',
        'outputTokenAttoUsd',
        'requestAttoUsd',
      ],
    },
  )
  .map((record) => record as PlainPrices);
const anyTiers = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 1_600_000 }), plainPrices), {
    maxLength: 3,
    selector: ([aboveTokens]) => aboveTokens,
  })
  .map((tiers) =>
    tiers.toSorted(([a], [b]) => a - b).map(([aboveTokens, its]) => ({ aboveTokens, prices: its })),
  );
const anyPrices: fc.Arbitrary<Prices> = fc
  .tuple(plainPrices, anyTiers)
  .map(([plain, tiers]) => (tiers.length > 0 ? { ...plain, tiers } : plain));
const count = fc.nat({ max: 200_000 });
/** A usage whose parts are disjoint, as those of a provider that can be believed. */
const anyUsage = fc.array(count, { minLength: 13, maxLength: 13 }).map((counts) => {
  const [plain = 0, cached = 0, write = 0, hour = 0, image = 0, audio = 0, cachedAudio = 0] =
    counts;
  const [said = 0, reasoning = 0, drawn = 0, spoken = 0, images = 0, webSearches = 0] =
    counts.slice(7);
  return {
    inputTokens: plain + cached + write + hour + image + audio + cachedAudio,
    cachedTokens: cached,
    cacheWriteTokens: write,
    cacheWriteHourTokens: hour,
    imageInputTokens: image,
    audioInputTokens: audio,
    cachedAudioTokens: cachedAudio,
    outputTokens: said + reasoning + drawn + spoken,
    reasoningTokens: reasoning,
    imageOutputTokens: drawn,
    audioOutputTokens: spoken,
    images,
    webSearches,
  };
});

describe('a hold', () => {
  test('is never below what any usage within its bounds costs', () => {
    fc.assert(
      fc.property(anyUsage, anyPrices, count, (used, some, more) => {
        const bounds = {
          inputTokensMax: used.inputTokens + more,
          outputTokensMax: used.outputTokens + more,
          imagesMax: used.images,
          webSearchesMax: used.webSearches,
        };
        ok(costNanoUsd(used, some) <= holdNanoUsd(bounds, some));
      }),
    );
  });

  test('of the affordable output fits, and of one token more does not', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 13n });
    fc.assert(
      fc.property(anyPrices, count, count, amount, (some, inputTokensMax, imagesMax, amounts) => {
        const bounds = { inputTokensMax, imagesMax };
        const tokens = affordableOutputTokens(bounds, some, amounts);
        if (tokens === undefined || tokens > 2n ** 50n) return;
        const held = (outputTokensMax: bigint) =>
          holdNanoUsd({ ...bounds, outputTokensMax: Number(outputTokensMax) }, some);
        if (tokens >= 0n) ok(held(tokens) <= amounts);
        ok(held(tokens + 1n) > amounts);
      }),
    );
  });
});

test('a cost is rounded once: the shares of a cost differ from it by their own rounding alone', () => {
  fc.assert(
    fc.property(anyUsage, anyPrices, (used, some) => {
      const its = { ...pricesFor(some, used.inputTokens), requestAttoUsd: 0n };
      const shares = costSharesNanoUsd(used, its);
      const cost = costNanoUsd(used, its);
      const searches = searchCostNanoUsd(used, its);
      const difference = cost - shares.inputNanoUsd - shares.outputNanoUsd - searches;
      ok(difference >= -2n && difference <= 2n);
    }),
  );
});

test('an amount leaves as a JSON number of USD', () => {
  equal(nanoUsdToNumber(1n), 1e-9);
  equal(nanoUsdToNumber(1_500_000_000n), 1.5);
});

test('an amount is written with every digit and no zero at its end', () => {
  const written = [0n, 1n, 250_000_000n, 1_000_000_000n, 100_500_000_000n].map(nanoUsdToDecimal);
  equal(written.join(' '), '0 0.000000001 0.25 1 100.5');
});
