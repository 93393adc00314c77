import { equal, ok } from 'node:assert/strict';
import { until, watchStalls } from '@sluice/patience';
import { faultNames, faultyBroker } from '@sluice/testing/faulty-broker';
import { describe, test } from 'vitest';
import { connectBus } from './connect-bus.ts';

const logger = { info: () => {}, warn: () => {}, error: () => {} };
/** The bound is 2 s. A busy machine asks later. */
const silentAfterMsMax = 5_000;

describe.concurrent('a bus whose broker is struck by', () => {
  test.each(faultNames)(
    '%s receives nothing within seconds, says so, and is told when it receives again',
    async (name) => {
      const broker = await faultyBroker();
      const { url, token } = broker;
      const bus = await connectBus({ url, token, name: 'spec', logger });
      try {
        let returns = 0;
        bus.onReconnect(() => returns++);
        ok(bus.isReceiving());
        const stalls = watchStalls();
        const beganMs = performance.now();
        await broker.faults[name].begin();
        await until(() => !bus.isReceiving());
        const silentMs = performance.now() - beganMs - stalls.stalledMs();
        stalls.stop();
        ok(silentMs < silentAfterMsMax, `it was believed for ${silentMs} ms`);
        equal(returns, 0);
        await broker.faults[name].end();
        await until(() => bus.isReceiving() && returns > 0);
        const subjects: string[] = [];
        const { signal } = new AbortController();
        await bus.subscribe('a.b', ({ subject }) => void subjects.push(subject), { signal });
        bus.publish('a.b', {});
        await bus.flush();
        await until(() => subjects.length === 1);
      } finally {
        await bus.stop();
        await broker.stop();
      }
    },
    120_000,
  );

  test.each(['SIGSTOP', 'a black hole'] as const)(
    '%s does not tell that it has taken what was published',
    async (name) => {
      const broker = await faultyBroker();
      const { url, token } = broker;
      const bus = await connectBus({ url, token, name: 'spec', logger });
      try {
        await broker.faults[name].begin();
        bus.publish('a.b', {});
        const outcome = await bus.flush().then(
          () => 'taken',
          (error: { code: string }) => error.code,
        );
        equal(outcome, 'bus_unavailable');
        await broker.faults[name].end();
      } finally {
        await bus.stop();
        await broker.stop();
      }
    },
    120_000,
  );
});
