import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { until } from '@sluice/patience';
import { describe, inject, onTestFinished, test } from 'vitest';
import { connectBus } from './connect-bus.ts';

const server = { url: inject('natsUrl'), token: inject('natsToken') };
const logger = { info: () => {}, warn: () => {}, error: () => {} };
const batchMax = 10;
/** Twice the number of deliveries that a consumer may have out: as many again wait for them. */
const facts = 8 * batchMax;

/** A stream with facts, one consumer of it, and the broker's own word on what it delivered. */
async function fixture(count: number, handle: () => Promise<void>) {
  const bus = await connectBus({ ...server, name: 'spec', logger });
  onTestFinished(() => bus.stop());
  const raw = await connect({
    servers: server.url,
    token: server.token,
    user: 'sluice',
    pass: server.token,
  });
  onTestFinished(() => raw.close());
  const manager = await jetstreamManager(raw);
  const unique = randomUUID().replaceAll('-', '');
  const subject = `spec.${unique}.a`;
  const name = `SPEC_${unique}`;
  await bus.ensureStream({
    name,
    subjects: [`spec.${unique}.>`],
    ageMsMax: 600_000,
    duplicateWindowMs: 60_000,
  });
  const ids = Array.from({ length: count }, (_, index) => `fact-${index}`);
  for (const id of ids) await bus.publishFact(subject, id, { id });
  const isThere = () =>
    manager.consumers.info(name, 'starved').then(
      () => true,
      () => false,
    );
  const handled: string[] = [];
  const abort = new AbortController();
  const running = bus.consume({
    stream: name,
    durable: 'starved',
    filter: subject,
    batchMax,
    signal: abort.signal,
    handle: async (batch) => {
      await handle();
      handled.push(...batch.map(({ id }) => id ?? ''));
    },
  });
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  await until(isThere);
  return {
    ids,
    handled,
    consumer: async () => manager.consumers.info(name, 'starved'),
    redeliverAfter: async (ackWaitMs: number) =>
      manager.consumers.update(name, 'starved', { ack_wait: ackWaitMs * 1_000_000 }),
    settled: async () => {
      await until(async () => {
        const { num_ack_pending, num_pending } = await manager.consumers.info(name, 'starved');
        return handled.length >= count && num_ack_pending === 0 && num_pending === 0;
      });
    },
  };
}

describe('a consumer that is slower than its messages come', () => {
  // The wait of an acknowledgement is 5 s, the keep-alive 1.5 s: a queue of four batches takes longer than the one,
  // and each batch less than the other.
  test.each([
    ['batches shorter than a keep-alive', 1_400],
    ['batches longer than a keep-alive', 1_800],
  ])(
    'drains its backlog with %s, each message delivered once',
    async (_, batchMs) => {
      const { ids, handled, settled, consumer } = await fixture(facts, async () => {
        await delay(batchMs);
      });
      await settled();
      deepEqual(handled, ids);
      equal((await consumer()).delivered.consumer_seq, facts);
    },
    120_000,
  );
});

describe('copies that the broker delivers all the same', () => {
  test('of what is in hand and of what waits are dropped', async () => {
    const release = Promise.withResolvers<void>();
    const { ids, handled, settled, consumer, redeliverAfter } = await fixture(
      2 * batchMax,
      () => release.promise,
    );
    await until(async () => (await consumer()).num_ack_pending === 2 * batchMax);
    // Shorter than the keep-alive: each message comes again and again.
    await redeliverAfter(200);
    await until(async () => (await consumer()).delivered.consumer_seq >= 6 * batchMax);
    release.resolve();
    await settled();
    deepEqual(handled, ids);
  });
});
