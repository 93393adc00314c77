import { equal, rejects } from 'node:assert/strict';
import { inMemoryBus, subjectFilters, usageStream } from '@sluice/bus';
import { until } from '@sluice/patience';
import { aFact } from '@sluice/usage-facts/testing';
import { test } from 'vitest';
import { publishFacts } from './publish-facts.ts';

test('a message that the broker has not taken is sent again, and stored once', async () => {
  await using stack = new AsyncDisposableStack();
  const bus = inMemoryBus();
  stack.defer(() => bus.stop());
  await bus.ensureStream(usageStream);
  bus.setConnected(false);
  const published = publishFacts(bus, [aFact()]);
  bus.setConnected(true);
  await published;
  let messages = 0;
  const stopping = new AbortController();
  const consumed = bus.consume({
    stream: usageStream.name,
    durable: 'spec',
    filter: subjectFilters.usageRecorded,
    batchMax: 10,
    signal: stopping.signal,
    handle: async (batch) => void (messages += batch.length),
  });
  await until(() => messages > 0);
  stopping.abort();
  await consumed;
  equal(messages, 1);
});

test('a broker that stays away ends it', async () => {
  const bus = inMemoryBus();
  bus.setConnected(false);
  await rejects(publishFacts(bus, [aFact()]), { code: 'bus_unavailable' });
  await bus.stop();
});
