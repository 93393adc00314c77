import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { usageTest } from './usage-test.ts';

const timeoutMs = 240_000;

describe('kills of any part while requests are answered', () => {
  test(
    'lose no usage, count none twice, and overspend no limit',
    async () => {
      const onProgress = () => undefined;
      const options = { kills: 10, requestsPerSecond: 40, seed: 1, onProgress };
      const result = await usageTest(options);
      deepEqual(result.findings, []);
      deepEqual([result.lost, result.double, result.overspendNanoUsd], [0, 0, 0n]);
      equal(result.billedNanoUsd, result.receiptNanoUsd);
      equal(result.open, 0);
      ok(result.capLooks > 50, `${result.capLooks} looks at the caps`);
      ok(result.conservationLooks > 5, `${result.conservationLooks} looks at what was admitted`);
      equal(result.kills, options.kills);
      ok(result.receipts > 100, `${result.receipts} receipts`);
      ok(result.refused > 0, 'no limit was put to the test');
    },
    timeoutMs,
  );
});
