import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { until } from '@sluice/patience';
import { afterEach, describe, inject, test } from 'vitest';
import type { Bus, BusMessage, StreamDefinition } from './bus.ts';
import { connectBus } from './connect-bus.ts';
import { busContract } from './testing/bus-contract.ts';
import { cuttableProxy } from './testing/cuttable-proxy.ts';

const server = { url: inject('natsUrl'), token: inject('natsToken') };
const logger = { info: () => {}, warn: () => {}, error: () => {} };
const open = (options: Partial<Parameters<typeof connectBus>[0]> = {}) =>
  connectBus({ ...server, name: 'spec', logger, ...options });

busContract({ name: 'the bus on NATS', open: () => open() });

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

describe('connecting', () => {
  test('refuses a wrong token at once', async () => {
    await rejects(open({ token: 'wrong' }), { code: 'bus_unavailable' });
  });

  test('gives up when nobody listens in time', async () => {
    const absent = open({ url: 'nats://127.0.0.1:1', connectTimeoutMs: 200 });
    await rejects(absent, { code: 'bus_unavailable' });
  });
});

describe('a lost connection', () => {
  test('refuses facts, then comes back by itself, tells so, and consumers go on', async () => {
    const proxy = await cuttableProxy(server.url);
    stops.push(() => proxy.stop());
    const { bus, fact, consume } = await fixture({ url: proxy.url });
    let reconnects = 0;
    bus.onReconnect(() => reconnects++);
    const seen = consume('survivor');
    await fact('before');
    await seen.until(1);

    proxy.cut();
    await until(() => !bus.isConnected());
    await rejects(fact('during'), { code: 'bus_unavailable' });
    proxy.mend();
    await until(() => bus.isConnected());
    equal(reconnects, 1);
    await fact('after');
    await seen.until(2);
    deepEqual(
      seen.messages.map(({ id }) => id),
      ['before', 'after'],
    );
  });

  test('does not keep the bus from stopping', async () => {
    const proxy = await cuttableProxy(server.url);
    stops.push(() => proxy.stop());
    const bus = await open({ url: proxy.url });
    proxy.cut();
    await until(() => !bus.isConnected());
    await bus.stop();
  });
});

describe('a durable consumer', () => {
  test('is handed bytes that are no JSON, as they are', async () => {
    const { raw, definition, consume } = await fixture();
    const seen = consume('raw');
    const subject = definition.subjects[0]?.replace('>', 'a') ?? '';
    raw.publish(subject, new Uint8Array([0xff, 0x7b]));
    await seen.until(1);
    const [message] = seen.messages;
    deepEqual(
      [message?.data, message?.id, [...(message?.bytes ?? [])]],
      [undefined, undefined, [0xff, 0x7b]],
    );
  });

  test('comes back when the broker lost its streams', async () => {
    const { raw, definition, consume, fact } = await fixture();
    const seen = consume('phoenix');
    await fact('a');
    await seen.until(1);
    const manager = await jetstreamManager(raw);
    await manager.streams.delete(definition.name);
    await until(
      async () =>
        await fact('b').then(
          () => true,
          () => false,
        ),
    );
    await seen.until(2);
  });

  test('begins a first batch and a full one at once, however far apart batches are', async () => {
    const { fact, consume } = await fixture();
    const seen = consume('paced', undefined, { batchMax: 3, batchEveryMs: 3_600_000 });
    await fact('first');
    await seen.until(1);
    for (const id of ['one', 'two', 'three']) await fact(id);
    await seen.until(4);
  });

  test('leaves nothing to be acknowledged of what it handled', async () => {
    const { raw, definition, consume, fact } = await fixture();
    await Promise.all(Array.from({ length: 25 }, (_, index) => fact(`fact-${index}`)));
    await consume('thorough').until(25);
    const manager = await jetstreamManager(raw);
    await until(async () => {
      const consumer = await manager.consumers.info(definition.name, 'thorough');
      return consumer.ack_floor.consumer_seq === 25 && consumer.num_ack_pending === 0;
    });
  });

  test('hands back what it was given and had not begun when it stops', async () => {
    const { consume, fact } = await fixture();
    for (let index = 0; index < 30; index++) await fact(`fact-${index}`);
    const release = Promise.withResolvers<void>();
    const first = consume('handover', () => release.promise);
    await first.until(1);
    const stopped = first.stop();
    release.resolve();
    await stopped;
    const begun = first.messages.length;
    const second = consume('handover');
    await second.until(30 - begun);
    equal(second.messages.length, 30 - begun);
  });
});

async function fixture(options: { url?: string } = {}) {
  const bus: Bus = await open(options);
  stops.push(() => bus.stop());
  const raw: NatsConnection = await connect({
    servers: server.url,
    token: server.token,
    user: 'sluice',
    pass: server.token,
  });
  stops.push(() => raw.close());
  const unique = randomUUID().replaceAll('-', '');
  const definition: StreamDefinition = {
    name: `SPEC_${unique}`,
    subjects: [`spec.${unique}.>`],
    ageMsMax: 600_000,
    duplicateWindowMs: 60_000,
  };
  await bus.ensureStream(definition);
  return {
    bus,
    raw,
    definition,
    fact: (id: string) => bus.publishFact(`spec.${unique}.a`, id, { id }),
    consume: (
      durable: string,
      then?: () => Promise<void>,
      options: { readonly batchMax?: number; readonly batchEveryMs?: number } = {},
    ) => {
      const abort = new AbortController();
      const messages: BusMessage[] = [];
      const running = bus.consume({
        stream: definition.name,
        durable,
        filter: `spec.${unique}.>`,
        batchMax: 10,
        ...options,
        signal: abort.signal,
        handle: async (batch) => {
          messages.push(...batch);
          await then?.();
        },
      });
      const stop = async () => {
        abort.abort();
        await running;
      };
      stops.push(stop);
      return {
        messages,
        stop,
        until: async (count: number) => {
          await until(() => messages.length >= count);
        },
      };
    },
  };
}
