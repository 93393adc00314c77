import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact, anEstimate } from '@sluice/usage-facts/testing';
import { type UsageFact, usageProblem } from '@sluice/usage-facts';

describe('an estimate', () => {
  test('is counted with what is in suspense of its hold', () => {
    equal(usageProblem(anEstimate()), undefined);
    equal(usageProblem(aFact({ holdNanoUsd: 5n, costNanoUsd: 6n })), undefined);
    const prices = { inputTokenAttoUsd: '1', 'inputTokenAttoUsd.above.200000': '2' };
    equal(usageProblem(anEstimate({ prices })), undefined);
  });

  test.each<[string, Partial<UsageFact>]>([
    ['more in suspense than was held', { suspendedNanoUsd: 9_001n }],
    ['a negative suspense', { suspendedNanoUsd: -1n }],
    ['a negative hold', { holdNanoUsd: -1n }],
    ['an absurd claim', { claimedNanoUsd: 10n ** 18n + 1n }],
    ['a reason that nobody knows', { estimateReason: 'whim' }],
    ['something in suspense for no reason', { estimateReason: '' }],
    ['a reason where the counts are the provider’s', { estimated: false }],
    ['a price that is no number', { prices: { inputTokenAttoUsd: '-1' } }],
    ['a price without a name', { prices: { '': '1' } }],
    ['a price above nothing', { prices: { 'inputTokenAttoUsd.above.': '1' } }],
    ['a long usage of the provider', { providerUsage: new Uint8Array(8_193) }],
  ])('is not counted with %s', (_case, changes) => {
    equal(typeof usageProblem(anEstimate(changes)), 'string');
  });
});
