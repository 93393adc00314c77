import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { perform } from '../perform.ts';
import { outages } from './outages.ts';

/** store-away.acceptance.spec.ts takes PostgreSQL away. */
describe('a bad network to the broker, and the ledger and the broker away in turn', () => {
  test('lose no usage, count none twice, overspend nothing, and are survived', async () => {
    const { findings, numbers } = await perform(outages, {
      OUTAGES: 'ledger frozen,nats forgetful',
      OUTAGE_SECONDS: '1',
      RPS: '25',
      SEED: '1',
    });
    deepEqual(findings, []);
    deepEqual([numbers.lost, numbers.double, numbers.overspend_nano], [0, 0, '0']);
    equal(numbers.billed_nano, numbers.receipt_nano);
    equal(numbers.outages, 2);
    ok(numbers.republished > 50, `${numbers.republished} published twice`);
    ok(numbers.resets > 0, 'no connection was broken');
  });
});
