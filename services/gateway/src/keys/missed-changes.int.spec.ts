import { equal, ok } from 'node:assert/strict';
import { connectBus, createNotices, subjectFilters, subjects } from '@sluice/bus';
import { until, watchStalls } from '@sluice/patience';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';
import { systemClock } from '@sluice/clock-and-ids';
import { faultNames, faultyBroker } from '@sluice/testing/faulty-broker';
import { describe, test } from 'vitest';
import { followKeyChanges } from './follow-key-changes.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { KeyCaller } from '../caller/key-caller.ts';

const logger = { info: () => {}, warn: () => {}, error: () => {} };
const presented = { hash: 'a'.repeat(64), secret: 'a secret' };
/** The bound is 5 s, and a second for a busy machine. */
const livesMsMax = 5_000 + 1_000;

describe.concurrent('a key that is revoked while the bus is struck by', () => {
  test.each(faultNames)(
    '%s is refused within five seconds',
    async (name) => {
      const broker = await faultyBroker();
      const { url, token } = broker;
      const bus = await connectBus({ url, token, name: 'spec', logger });
      const stopping = new AbortController();
      let isRevoked = false;
      const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
      const principals = createPrincipalCache({
        resolve: async () => (isRevoked ? undefined : new KeyCaller(key)),
        unsubscribedMs: () => notices.unsubscribedMs(),
        clock: systemClock,
      });
      const isTaken = async () => (await principals.find(presented)) !== undefined;
      try {
        followKeyChanges(notices, principals);
        await notices.start(stopping.signal);
        // Learnt at the last moment, so that it lives as long as it can.
        ok(await isTaken());
        await broker.faults[name].begin();
        isRevoked = true;
        const stalls = watchStalls();
        const revokedMs = performance.now();
        await until(async () => !(await isTaken()));
        const livedMs = performance.now() - revokedMs - stalls.stalledMs();
        stalls.stop();
        ok(livedMs < livesMsMax, `the key lived for ${livedMs} ms`);

        await broker.faults[name].end();
        await until(() => bus.isReceiving());
        isRevoked = false;
        const publisher = await connectBus({ url: broker.directUrl, token, name: 'spec', logger });
        await until(async () => {
          publisher.publish(subjects.keyChanged(presented.hash), { hash: presented.hash });
          return await isTaken();
        });
        equal(await isTaken(), true);
        await publisher.stop();
      } finally {
        stopping.abort();
        await bus.stop();
        await broker.stop();
      }
    },
    120_000,
  );
});

const key: Key = {
  hash: presented.hash,
  kind: KeyKind.KEY_KIND_REGULAR,
  label: '',
  name: '',
  disabled: false,
  accountId: 'org_1',
  workspaceId: '',
  limitNanoUsd: undefined,
  includeByokInLimit: false,
  createdAt: '',
  updatedAt: '',
  source: 'api',
};
