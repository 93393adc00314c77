import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { outagesTest } from './outages-test.ts';

const timeoutMs = 300_000;

describe('a bad network to the broker, and the ledger, PostgreSQL and the broker away in turn', () => {
  test(
    'lose no usage, count none twice, overspend nothing, and are survived',
    async () => {
      const result = await outagesTest({
        // Keys that are asked for anew after a broker has forgotten all need PostgreSQL: that scene is the last one.
        outages: ['ledger frozen', 'postgres killed', 'nats forgetful'],
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
