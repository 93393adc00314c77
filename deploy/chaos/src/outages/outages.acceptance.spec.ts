import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { outagesTest } from './outages-test.ts';

const timeoutMs = 300_000;

describe('a bad network to the broker, and the ledger, PostgreSQL and the broker away in turn', () => {
  test(
    'lose no usage, count none twice, overspend nothing, and are survived',
    async () => {
      const result = await outagesTest({
        outages: ['ledger frozen', 'nats forgetful', 'postgres killed'],
        outageSeconds: 4,
        requestsPerSecond: 25,
        seed: 1,
        onProgress: () => undefined,
      });
      deepEqual(result.findings, []);
      deepEqual([result.lost, result.double, result.overspendNanoUsd], [0, 0, 0n]);
      equal(result.billedNanoUsd, result.receiptNanoUsd);
      equal(result.outages.length, 3);
      ok(result.republished > 50, `${result.republished} published twice`);
      ok(result.resets > 0, 'no connection was broken');
    },
    timeoutMs,
  );
});
