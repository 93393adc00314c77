import { deepEqual, equal, rejects } from 'node:assert/strict';
import { until } from '@sluice/patience';
import { describe, test } from 'vitest';
import { inMemoryBus } from './in-memory-bus.ts';
import { usageStream } from './subjects.ts';
import { busContract } from './testing/bus-contract.ts';

busContract({ name: 'the bus in memory', open: async () => inMemoryBus() });

describe('a lost connection', () => {
  test('refuses facts, holds consumers back, and tells when it is over', async () => {
    const bus = inMemoryBus();
    await bus.ensureStream(usageStream);
    await bus.publishFact('usage.v1.recorded.a', '1', {});
    let reconnects = 0;
    const forget = bus.onReconnect(() => reconnects++);
    bus.setConnected(false);
    equal(bus.isConnected(), false);
    await rejects(bus.publishFact('usage.v1.recorded.a', '2', {}), { code: 'bus_unavailable' });

    const seen: unknown[] = [];
    const abort = new AbortController();
    const running = bus.consume({
      stream: usageStream.name,
      durable: 'd',
      filter: 'usage.v1.>',
      batchMax: 10,
      signal: abort.signal,
      handle: async (messages) => void seen.push(...messages.map(({ id }) => id)),
    });
    await new Promise((resolve) => setImmediate(resolve));
    deepEqual(seen, []);
    bus.setConnected(true);
    await until(() => seen.length > 0);
    abort.abort();
    await running;
    forget();
    bus.setConnected(false);
    bus.setConnected(true);
    equal(reconnects, 1);
  });
});
