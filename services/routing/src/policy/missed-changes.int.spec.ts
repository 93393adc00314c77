import { equal, ok } from 'node:assert/strict';
import { connectBus, createNotices, subjectFilters } from '@sluice/bus';
import { until, watchStalls } from '@sluice/patience';
import { faultNames, faultyBroker } from '@sluice/testing/faulty-broker';
import { describe, test } from 'vitest';
import { createRemoteCache, followChanges } from '@sluice/remote-cache';

const logger = { info: () => {}, warn: () => {}, error: () => {} };
const question = { accountId: 'account' };
/** The bound is 5 s, and a second for a busy machine. */
const livesMsMax = 5_000 + 1_000;

/** Policies and credentials are known this way. */
describe.concurrent('what is known of an account and changes while the bus is struck by', () => {
  test.each(faultNames)(
    '%s is believed for five seconds at most',
    async (name) => {
      const broker = await faultyBroker();
      const { url, token } = broker;
      const bus = await connectBus({ url, token, name: 'spec', logger });
      const stopping = new AbortController();
      let truth = 'before';
      const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
      const known = createRemoteCache<typeof question, string>({
        ask: async () => truth,
        groupOf: ({ accountId }) => accountId,
        unsubscribedMs: () => notices.unsubscribedMs(),
        nowMs: () => performance.now(),
      });
      try {
        const filters = [subjectFilters.guardrailsChanged, subjectFilters.workspaceChanged];
        followChanges(notices, { filters, known });
        await notices.start(stopping.signal);
        equal(await known.find(question), 'before');
        await broker.faults[name].begin();
        truth = 'after';
        const stalls = watchStalls();
        const changedMs = performance.now();
        await until(async () => (await known.find(question)) === 'after');
        const livedMs = performance.now() - changedMs - stalls.stalledMs();
        stalls.stop();
        ok(livedMs < livesMsMax, `it was believed for ${livedMs} ms`);
        await broker.faults[name].end();
      } finally {
        stopping.abort();
        await bus.stop();
        await broker.stop();
      }
    },
    120_000,
  );
});
