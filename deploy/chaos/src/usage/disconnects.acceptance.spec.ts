import { deepEqual, equal, ok } from 'node:assert/strict';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { seededRandom } from '@sluice/testing/random';
import { environment, underAudit } from './audited.ts';
import { leavingClients } from './leaving-clients.ts';

const clients = 1_000;
/** Each wait has a bound of its own, with a better message. */
const timeoutMs = 480_000;

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance(environment, 'processes');
});
afterAll(() => instance?.dispose());

describe('a thousand clients that leave at random points', () => {
  test(
    'leave a row for each generation, billed as its receipt says',
    async () => {
      const random = seededRandom(7);
      const auditing = { instance, random, requestsPerSecond: 0, onProgress: () => undefined };
      const { disturbed: left, ...audited } = await underAudit(auditing, () =>
        leavingClients({ instance, random, clients, openMax: 60 }),
      );
      deepEqual(audited.findings, []);
      deepEqual([audited.lost, audited.double, audited.open], [0, 0, 0]);
      equal(audited.billedNanoUsd, audited.receiptNanoUsd);
      ok(audited.receipts > clients / 4, `${audited.receipts} receipts`);
      ok(left.midway > clients / 100, `${left.midway} left in the middle`);
      ok(left.early > clients / 100, `${left.early} left before the first byte`);
    },
    timeoutMs,
  );
});
