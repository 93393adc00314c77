import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { at, ledgerFixture as fixture, windows } from '../testing/ledger-fixture.ts';

describe('asking', () => {
  test('for keys answers one row each, in the order asked, zeros for unknown ones', async () => {
    const { client, publish, until, count } = await fixture();
    await publish(aFact({ keyHash: 'b', costNanoUsd: 3n }));
    await until(async () => (await count('usage_facts')) === 1);
    const keyHashes = ['c', 'b', 'a', 'b'];
    const { usages } = await client.getKeyUsage({ accountId: 'acct_1', keyHashes, at });
    deepEqual(
      usages.map(({ keyHash, credits }) => [keyHash, credits?.lifetimeNanoUsd]),
      [
        ['c', 0n],
        ['b', 3n],
        ['a', 0n],
        ['b', 3n],
      ],
    );
    const other = await client.getKeyUsage({ accountId: 'acct_2', keyHashes: ['b'], at });
    deepEqual(other.usages[0]?.credits, windows(0n));
  });

  test('for too many keys, or at no instant, is refused', async () => {
    const { client } = await fixture();
    const outcome = (request: Parameters<typeof client.getKeyUsage>[0]) =>
      client.getKeyUsage(request).catch((error: { code?: string }) => error.code);
    const keyHashes = Array.from({ length: 101 }, (_, index) => `k${index}`);
    equal(await outcome({ accountId: 'acct_1', keyHashes, at }), 'invalid_request');
    equal(await outcome({ accountId: 'acct_1', keyHashes: [], at: 'now' }), 'invalid_request');
  });
});
