import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { tally } from './tally.ts';

const lines = (facts: Parameters<typeof tally>[0]) =>
  tally(facts).map((increment) => {
    const { scopeKind, scopeId, windowKind, windowStart, creditsNanoUsd, byokNanoUsd } = increment;
    const start = windowStart.toISOString().slice(0, 10);
    return `${scopeKind} ${scopeId} ${windowKind} ${start} ${creditsNanoUsd} ${byokNanoUsd}`;
  });

describe('a batch of facts', () => {
  test('becomes one increment per counter, in the order of the key', () => {
    const facts = [
      aFact({ keyHash: 'b', costNanoUsd: 1n }),
      aFact({ keyHash: 'a', costNanoUsd: 2n }),
      aFact({ keyHash: 'b', costNanoUsd: 4n }),
    ];
    deepEqual(lines(facts), [
      'account acct_1 lifetime 1970-01-01 7 0',
      'key a daily 2026-11-18 2 0',
      'key a lifetime 1970-01-01 2 0',
      'key a monthly 2026-11-01 2 0',
      'key a weekly 2026-11-16 2 0',
      'key b daily 2026-11-18 5 0',
      'key b lifetime 1970-01-01 5 0',
      'key b monthly 2026-11-01 5 0',
      'key b weekly 2026-11-16 5 0',
      'workspace ws_1 daily 2026-11-18 7 0',
      'workspace ws_1 lifetime 1970-01-01 7 0',
      'workspace ws_1 monthly 2026-11-01 7 0',
      'workspace ws_1 weekly 2026-11-16 7 0',
    ]);
    deepEqual(lines(facts.toReversed()), lines(facts));
  });

  test('keeps credits and BYOK apart', () => {
    const facts = [aFact({ costNanoUsd: 1n }), aFact({ costNanoUsd: 2n, isByok: true })];
    for (const line of lines(facts)) equal(line.split(' ').slice(-2).join(' '), '1 2');
  });

  test('charges the windows of the admission, not of the end', () => {
    const fact = aFact({
      admittedAt: '2026-11-30T23:59:59.999Z',
      completedAt: '2026-12-01T00:00:05.000Z',
    });
    deepEqual(lines([fact]).slice(1, 5), [
      'key key1 daily 2026-11-30 1000 0',
      'key key1 lifetime 1970-01-01 1000 0',
      'key key1 monthly 2026-11-01 1000 0',
      'key key1 weekly 2026-11-30 1000 0',
    ]);
  });

  test('counts for each guardrail that held, and for its assignee alone', () => {
    const facts = [
      aFact({ costNanoUsd: 1n, guardrailScopes: ['g1:member:user_1', 'g2:key:key1'] }),
      aFact({ costNanoUsd: 2n, guardrailScopes: ['g1:member:user_2'], isByok: true }),
      aFact({ costNanoUsd: 4n, guardrailScopes: ['g1:member:user_1'] }),
    ];
    deepEqual(
      lines(facts).filter((line) => line.startsWith('guardrail') && line.includes(' daily ')),
      [
        'guardrail g1:member:user_1 daily 2026-11-18 5 0',
        'guardrail g1:member:user_2 daily 2026-11-18 0 2',
        'guardrail g2:key:key1 daily 2026-11-18 1 0',
      ],
    );
    equal(lines(facts).filter((line) => line.startsWith('guardrail')).length, 9);
  });

  test('that is empty adds nothing', () => deepEqual(tally([]), []));
});
