import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { placeOf, type UsageFact, usageProblem } from '@sluice/usage-facts';

describe('a usage fact', () => {
  test('is counted when it is whole', () => {
    equal(usageProblem(aFact()), undefined);
    equal(usageProblem(aFact({ costNanoUsd: 0n, inputTokens: 0n, cachedTokens: 0n })), undefined);
    equal(usageProblem(aFact({ upstreamId: '', finishReason: '' })), undefined);
    equal(usageProblem(aFact({ admittedAt: '2028-02-29T00:00:00Z' })), undefined);
  });

  test.each<[string, Partial<UsageFact>]>([
    ['no id', { usageId: '' }],
    ['an id with a blank', { usageId: 'gen 1' }],
    ['no account', { accountId: '' }],
    ['an account that is no part of a subject', { accountId: 'a.b' }],
    ['no key', { keyHash: '' }],
    ['a negative count', { inputTokens: -1n }],
    ['an absurd count', { outputTokens: 2n ** 53n + 1n }],
    ['a negative cost', { costNanoUsd: -1n }],
    ['an absurd cost', { costNanoUsd: 10n ** 18n + 1n }],
    ['more cached than input tokens', { inputTokens: 1n, cachedTokens: 2n }],
    ['more reasoning than output tokens', { outputTokens: 1n, reasoningTokens: 2n }],
    ['no instant', { admittedAt: '' }],
    ['an instant of another zone', { admittedAt: '2026-11-18T12:00:00+01:00' }],
    ['a day that does not exist', { admittedAt: '2026-02-30T12:00:00Z' }],
    ['an hour that does not exist', { completedAt: '2026-02-20T25:00:00Z' }],
    ['a text with a zero byte', { upstreamId: 'a\0b' }],
    ['a text without end', { model: 'x'.repeat(513) }],
    ['no outcome', { outcome: '' }],
    ['no replica', { replica: '' }],
    ['the sequence 0', { sequence: 0n }],
    ['a negative epoch', { epoch: -1n }],
    ['a guardrail without an assignee', { guardrailScopes: ['g1'] }],
    ['a guardrail of no kind', { guardrailScopes: ['g1:team:t1'] }],
    ['a guardrail with a comma', { guardrailScopes: ['g1:key:a,b'] }],
    ['a guardrail twice', { guardrailScopes: ['g1:key:a', 'g1:key:a'] }],
  ])('is not counted with %s', (_case, changes) => {
    equal(typeof usageProblem(aFact(changes)), 'string');
  });
});

describe('the place of a fact', () => {
  test('is known also when the rest is unusable', () => {
    const fact = aFact({ costNanoUsd: -1n, replica: 'r', epoch: 2n, sequence: 3n });
    deepEqual(placeOf(fact), { replica: 'r', epoch: 2n, sequence: 3n });
    equal(placeOf(aFact({ sequence: 2n ** 63n })), undefined);
  });
});
