import { equal } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { test } from 'vitest';
import { anEstimate } from '@sluice/usage-facts/testing';
import { ledgerFixture } from '../testing/ledger-fixture.ts';

test('a correction that the bus refused is published again', async () => {
  const ids: string[] = [];
  const ledger = await ledgerFixture({
    bus: (memory) => ({
      ...memory,
      publishFact: (subject, id, message) => {
        if (!subject.startsWith('usage.v1.corrected.'))
          return memory.publishFact(subject, id, message);
        ids.push(id);
        if (ids.length === 1) return Promise.reject(new Fault('bus_unavailable'));
        return memory.publishFact(subject, id, message);
      },
    }),
  });
  const { accountId, usageId, ...estimate } = anEstimate();
  await ledger.publish({ accountId, usageId, ...estimate });
  await ledger.until(async () => (await ledger.count('estimates')) === 1);
  const counts = { inputTokens: 10n, cachedTokens: 0n, outputTokens: 60n, reasoningTokens: 0n };
  const served = { ...counts, upstreamId: 'resp_true', isFree: false };
  await ledger.client.correctUsage({ accountId, usageId, ...served });
  const published = () => ledger.count('corrections WHERE published_at IS NOT NULL');
  await ledger.until(async () => (await published()) === 1);
  equal(ids.join(' '), `${usageId}/provider ${usageId}/provider`);
});
