import type { SpecialCounts, TokenUsage } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { addUsage, type UsageReport } from './usage-report.ts';

/** Every count, each with another number. A new one does not compile until it is here. */
const counts: Required<TokenUsage> = {
  inputTokens: 1,
  cachedTokens: 2,
  outputTokens: 4,
  reasoningTokens: 8,
  cacheWriteTokens: 16,
  cacheWriteHourTokens: 32,
  imageInputTokens: 64,
  audioInputTokens: 128,
  cachedAudioTokens: 256,
  imageOutputTokens: 512,
  audioOutputTokens: 1_024,
  webSearches: 0,
  images: 2_048,
  searchUnits: 4_096,
};
const usual: TokenUsage = { inputTokens: 1, cachedTokens: 2, outputTokens: 4, reasoningTokens: 8 };
const report: UsageReport = {
  tokens: counts,
  costNanoUsd: 1n,
  inputCostNanoUsd: 2n,
  outputCostNanoUsd: 4n,
  isByok: false,
};
const own: UsageReport = { ...report, listNanoUsd: 8n, isByok: true };
const names = Object.keys(counts) as readonly (keyof SpecialCounts)[];

describe('the usage of two model calls', () => {
  test.each(names)('has the sum of %s', (name) => {
    expect(addUsage(report, report).tokens[name]).toBe(2 * counts[name]);
  });

  test.each(names.slice(4))('has %s if one of them has it', (name) => {
    const without = { ...report, tokens: usual };
    expect(addUsage(report, without).tokens[name]).toBe(counts[name]);
    expect(addUsage(without, report).tokens[name]).toBe(counts[name]);
    expect(addUsage(without, without).tokens).not.toHaveProperty(name);
  });

  test.each(['costNanoUsd', 'inputCostNanoUsd', 'outputCostNanoUsd'] as const)(
    'has the sum of %s',
    (name) => {
      expect(addUsage(report, report)[name]).toBe(2n * report[name]);
    },
  );

  test('has the list price of the calls with an own credential', () => {
    const sums = [addUsage(report, report), addUsage(report, own), addUsage(own, own)];
    expect(sums.map(({ listNanoUsd, isByok }) => [listNanoUsd, isByok])).toEqual([
      [undefined, false],
      [8n, true],
      [16n, true],
    ]);
    expect(addUsage(own, report)).toEqual(addUsage(report, own));
  });
});
