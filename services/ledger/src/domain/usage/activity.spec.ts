import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact, aFailure } from '@sluice/usage-facts/testing';
import { tallyActivity } from './activity.ts';

describe('activity', () => {
  test('sums the facts of a day, model and endpoint, credits and BYOK apart', () => {
    const [row, ...others] = tallyActivity([
      aFact({ costNanoUsd: 5n }),
      aFact({ costNanoUsd: 7n, isByok: true }),
    ]);
    deepEqual(others, []);
    deepEqual(row, {
      accountId: 'acct_1',
      day: '2026-11-18',
      workspaceId: 'ws_1',
      keyHash: 'key1',
      userId: 'user_1',
      model: 'sim/small',
      endpointId: 'endpoint-1',
      provider: 'sim',
      app: '',
      requests: 2n,
      inputTokens: 20n,
      outputTokens: 40n,
      reasoningTokens: 10n,
      creditsNanoUsd: 5n,
      byokNanoUsd: 7n,
    });
  });

  test('is apart for each application', () => {
    const rows = tallyActivity([aFact({ app: 'Codex' }), aFact(), aFact({ app: 'Codex' })]);
    deepEqual(
      rows.map(({ app, requests }) => [app, requests]),
      [
        ['Codex', 2n],
        ['', 1n],
      ],
    );
  });

  test('is not what the operator pays for, and is what customers paid for in earlier releases', () => {
    const old = aFailure({ costNanoUsd: 7n, upstreamCostNanoUsd: undefined });
    const rows = tallyActivity([aFailure(), old]);
    deepEqual(
      rows.map(({ requests, creditsNanoUsd }) => [requests, creditsNanoUsd]),
      [[1n, 7n]],
    );
  });

  test('counts a response once, and what its later turns and its tools used', () => {
    const rows = tallyActivity([
      aFact({ usageId: 'g/2/1' }),
      aFact({ usageId: 'g/1/2', costNanoUsd: 5n }),
      aFact({ usageId: 'g/1/12', endpointId: 'endpoint-2' }),
      aFact({ usageId: 'g/tool/1', costNanoUsd: 7n }),
      aFact({ usageId: 'g/tool/1/1/1/1', costNanoUsd: 9n }),
    ]);
    deepEqual(
      rows.map(({ endpointId, requests, creditsNanoUsd }) => [
        endpointId,
        requests,
        creditsNanoUsd,
      ]),
      [
        ['endpoint-1', 1n, 1_021n],
        ['endpoint-2', 0n, 1_000n],
      ],
    );
  });

  test('counts in the UTC day of the admission', () => {
    const days = tallyActivity([
      aFact({ admittedAt: '2026-11-18T23:59:59.999Z', completedAt: '2026-11-19T00:00:09.000Z' }),
      aFact({ admittedAt: '2026-11-19T00:00:00.000Z' }),
    ]).map(({ day }) => day);
    deepEqual(days, ['2026-11-18', '2026-11-19']);
  });

  test('keeps apart what differs in anything that can be asked for', () => {
    const changes = [
      { accountId: 'acct_2' },
      { workspaceId: 'ws_2' },
      { keyHash: 'key2' },
      { userId: 'user_2' },
      { model: 'sim/large' },
      { endpointId: 'endpoint-2' },
      { provider: 'other' },
    ];
    equal(tallyActivity([aFact(), ...changes.map((change) => aFact(change))]).length, 8);
  });

  test('keeps apart texts that only read the same one after the other', () => {
    const facts = [
      aFact({ userId: 'a', model: 'b/c', endpointId: 'd', provider: '1' }),
      aFact({ userId: 'ab', model: '/c', endpointId: 'd', provider: '1' }),
      aFact({ userId: 'a', model: 'b/cd', endpointId: '', provider: '1' }),
      aFact({ userId: 'a', model: 'b/c', endpointId: 'd1', provider: '' }),
    ];
    equal(tallyActivity(facts).length, 4);
  });
});
