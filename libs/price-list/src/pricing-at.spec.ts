import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type ConditionalPrices, pricingAt, type NamedPrices } from './pricing-at.ts';

const instant = new Date('2026-11-21T12:00:00Z');
const of = (prices: NamedPrices) => pricingAt([{ prices }], instant);
const plain = { input_mtok: 2, output_mtok: 8 };
const asPlain = { prompt: '0.000002', completion: '0.000008' };

test('every price that has a name here is of one token, request or search', () => {
  deepEqual(
    of({
      input_mtok: 1,
      output_mtok: 2,
      cache_read_mtok: 3,
      cache_write_mtok: 4,
      cache_write_1h_mtok: 5,
      output_reasoning_mtok: 6,
      input_image_mtok: 7,
      output_image_mtok: 8,
      input_audio_mtok: 9,
      cache_audio_read_mtok: 10,
      output_audio_mtok: 11,
      requests_kcount: 12,
      web_searches_kcount: 13,
      storage_searches_kcount: 14,
    }),
    {
      prompt: '0.000001',
      completion: '0.000002',
      input_cache_read: '0.000003',
      input_cache_write: '0.000004',
      input_cache_write_1h: '0.000005',
      internal_reasoning: '0.000006',
      image_token: '0.000007',
      image_output: '0.000008',
      audio: '0.000009',
      input_audio_cache: '0.00001',
      audio_output: '0.000011',
      request: '0.012',
      web_search: '0.013',
    },
  );
});

describe('a model is left out', () => {
  const tier = { base: 1, tiers: [{ start: 100, price: 2 }] };
  test.each<[string, NamedPrices]>([
    ['with a price that has no name here', { ...plain, audio_hours: 1 }],
    ['with a price of the pictures in its cache', { ...plain, cache_image_read_mtok: 1 }],
    ['without a price of the input', { output_mtok: 1 }],
    ['without a price of the output', { input_mtok: 1 }],
    ['that has no price at all', {}],
    ['that costs nothing', { input_mtok: 0, output_mtok: 0 }],
    ['with a price that is no amount', { ...plain, cache_read_mtok: -1 }],
    ['whose pictures cost more in a long prompt', { ...plain, input_image_mtok: tier }],
  ])('%s', (_case, prices) => equal(of(prices), undefined));
});

test('a higher price of a long prompt is an override of all that has tiers', () => {
  const prices = {
    input_mtok: {
      base: 1,
      tiers: [
        { start: 200, price: 3 },
        { start: 100, price: 2 },
      ],
    },
    cache_read_mtok: 0.5,
    output_mtok: { base: 4, tiers: [{ start: 200, price: 5 }] },
  };
  deepEqual(of(prices), {
    prompt: '0.000001',
    completion: '0.000004',
    input_cache_read: '0.0000005',
    overrides: [
      { min_prompt_tokens: 100, prompt: '0.000002', completion: '0.000004' },
      { min_prompt_tokens: 200, prompt: '0.000003', completion: '0.000005' },
    ],
  });
});

describe('a price on a condition', () => {
  const from = (start_date: string, input_mtok: number) => ({
    constraint: { type: 'start_date' as const, start_date },
    prices: { ...plain, input_mtok },
  });
  const hours = (start_time: string, end_time: string, prices: NamedPrices) => ({
    constraint: { type: 'time_of_date' as const, start_time, end_time },
    prices,
  });
  const at = (all: ConditionalPrices, when = instant) => pricingAt(all, when);

  test('counts from its day on, the last one that has begun', () => {
    const all = [{ prices: plain }, from('2026-01-01', 3), from('2027-01-01', 4)];
    equal(at(all, new Date('2025-12-31T23:59:59Z'))?.prompt, '0.000002');
    equal(at(all)?.prompt, '0.000003');
    equal(at(all, new Date('2027-01-01T00:00:00Z'))?.prompt, '0.000004');
    equal(at([from('2027-01-01', 4)]), undefined);
  });

  test('at some hours is an override of everything that the day has a price for', () => {
    const day = { ...plain, cache_read_mtok: 1 };
    deepEqual(
      at([{ prices: day }, hours('00:30:00Z', '16:30:00Z', { input_mtok: 4, output_mtok: 9 })]),
      {
        ...asPlain,
        input_cache_read: '0.000001',
        overrides: [
          {
            utc_start: '0030',
            utc_end: '1630',
            prompt: '0.000004',
            completion: '0.000009',
            input_cache_read: '0.000004',
          },
        ],
      },
    );
  });

  test('of hours before the day on which new prices began is over', () => {
    deepEqual(
      at([{ prices: plain }, hours('00:00:00Z', '12:00:00Z', plain), from('2026-01-01', 2)]),
      asPlain,
    );
  });

  test.each<[string, ConditionalPrices]>([
    ['hours that do not begin with a minute', [hours('00:30:30Z', '16:30:00Z', plain)]],
    ['hours of another zone', [hours('00:30:00+01:00', '16:30:00Z', plain)]],
    [
      'hours with tiers',
      [hours('00:00:00Z', '01:00:00Z', { ...plain, input_mtok: { base: 1, tiers: [] } })],
    ],
    [
      'hours in which a request costs more',
      [hours('00:00:00Z', '01:00:00Z', { ...plain, requests_kcount: 1 })],
    ],
    [
      'hours with something that has no name here',
      [hours('00:00:00Z', '01:00:00Z', { ...plain, audio_hours: 1 })],
    ],
  ])('is not said for %s', (_case, all) => {
    equal(at([{ prices: plain }, ...all]), undefined);
  });
});
