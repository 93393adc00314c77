import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { scripts, sampleTexts } from '../turn/testing/sample-texts.ts';
import { countTextUpwards } from './text-tokens.ts';

/** Texts in other scripts than the Latin one have fewer tokens in newer tokenizers than in older ones. */
const factorMax = 1.75;
const scriptFactorMax = 2.75;
const roundingTokens = 3;

describe('the estimate of a text', () => {
  test.each(Object.entries(sampleTexts))('is not below the tokens of %s', (_, text) => {
    const tokens = encode(text).length;
    const estimate = countTextUpwards(text);
    expect(estimate).toBeGreaterThanOrEqual(tokens);
    expect(estimate).toBeLessThanOrEqual(factorMax * tokens + roundingTokens);
  });

  test.each(Object.entries(scripts))('is not below the tokens of %s', (_, text) => {
    const tokens = encode(text).length;
    const estimate = countTextUpwards(text);
    expect(estimate).toBeGreaterThanOrEqual(tokens);
    expect(estimate).toBeLessThanOrEqual(scriptFactorMax * tokens + roundingTokens);
  });

  test('of nothing is nothing', () => {
    expect(countTextUpwards('')).toBe(0);
  });

  test('of lines and of one letter again and again is bounded', () => {
    expect(countTextUpwards('='.repeat(10_000))).toBeLessThan(1_000);
    expect(countTextUpwards('a'.repeat(10_000))).toBeLessThanOrEqual(10_000);
  });
});
