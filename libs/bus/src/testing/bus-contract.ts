import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { until } from '@sluice/patience';
import { afterAll, describe, test } from 'vitest';
import type { Bus, BusMessage, StreamDefinition } from '../bus.ts';

export interface BusContractOptions {
  readonly name: string;
  /** Called once, before the first test; the same bus serves all of them. */
  readonly open: () => Promise<Bus>;
}

/** Checks an implementation of the port. Streams and subjects have random names. */
export function busContract({ name, open }: BusContractOptions): void {
  let opened: Promise<Bus> | undefined;
  const bus = () => (opened ??= open());
  afterAll(async () => await (await bus()).stop());

  describe(`${name}: publishing to whoever listens`, () => {
    test('reaches each subscriber of a matching subject with the parsed message', async () => {
      const { live, subscribe, publish } = await fixture(bus);
      const exact = await subscribe('one');
      const all = await subscribe('*');
      publish('one', { text: 'ü – ✓', amount: '9007199254740993' });
      publish('two', {});
      await all.until(2);
      deepEqual(
        exact.messages.map((message) => [message.subject, message.data]),
        [[`${live}.one`, { text: 'ü – ✓', amount: '9007199254740993' }]],
      );
      deepEqual(
        all.messages.map((message) => message.subject),
        [`${live}.one`, `${live}.two`],
      );
    });

    test('ends with the signal', async () => {
      const { subscribe, publish } = await fixture(bus);
      const ended = await subscribe('*');
      const other = await subscribe('*');
      ended.stop();
      publish('one', {});
      await other.until(1);
      equal(ended.messages.length, 0);
    });

    test('goes on when a handler throws', async () => {
      const { subscribe, publish } = await fixture(bus);
      const seen = await subscribe('*', () => {
        throw new Error('a broken handler');
      });
      publish('one', {});
      publish('two', {});
      await seen.until(2);
    });
  });

  describe(`${name}: publishing a fact`, () => {
    test('is refused when no stream keeps the subject', async () => {
      const { live } = await fixture(bus);
      await rejects((await bus()).publishFact(`${live}.nowhere`, 'a', {}), {
        code: 'bus_unavailable',
      });
    });

    test('is kept for a consumer that comes later, in order, with its id', async () => {
      const { fact, consume } = await fixture(bus);
      await fact('a', { n: 1 });
      await fact('b', { n: 2 });
      const seen = consume('later');
      await seen.until(2);
      await seen.stop();
      deepEqual(
        seen.messages.map(({ id, data, redelivered }) => [id, data, redelivered]),
        [
          ['a', { n: 1 }, false],
          ['b', { n: 2 }, false],
        ],
      );
    });

    test('stores the same id once', async () => {
      const { fact, consume } = await fixture(bus);
      await fact('a', { n: 1 });
      await fact('a', { n: 1 });
      await fact('b', { n: 2 });
      const seen = consume('once');
      await seen.until(2);
      await seen.stop();
      deepEqual(
        seen.messages.map(({ id }) => id),
        ['a', 'b'],
      );
    });

    test('tells where it is stored, and whether it is still there', async () => {
      const { fact, definition } = await fixture(bus);
      const first = await fact('a', { n: 1 });
      const second = await fact('b', { n: 2 });
      deepEqual(first, { stream: definition.name, sequence: 1 });
      deepEqual(await fact('a', { n: 1 }), first);
      const opened = await bus();
      deepEqual(
        await Promise.all([
          opened.holdsFact('a', first),
          opened.holdsFact('b', second),
          opened.holdsFact('a', second),
          opened.holdsFact('c', { ...first, sequence: 3 }),
          opened.holdsFact('a', { ...first, stream: `${definition.name}_GONE` }),
        ]),
        [true, true, false, false, false],
      );
    });

    test('refuses a message over a megabyte', async () => {
      const { fact } = await fixture(bus);
      await rejects(fact('a', { text: 'x'.repeat(1_048_577) }), { code: 'payload_too_large' });
    });
  });

  describe(`${name}: consuming`, () => {
    test('delivers again, marked so, what a failing handler was given', async () => {
      const { fact, consume } = await fixture(bus);
      await fact('a', {});
      let failures = 1;
      const seen = consume('failing', async () => {
        if (failures-- > 0) throw new Error('not now');
      });
      await seen.until(2);
      await seen.stop();
      deepEqual(
        seen.messages.map(({ id, redelivered }) => [id, redelivered]),
        [
          ['a', false],
          ['a', true],
        ],
      );
    });

    test('continues after a stop behind what was handled', async () => {
      const { fact, consume } = await fixture(bus);
      await fact('a', {});
      const first = consume('restarted');
      await first.until(1);
      await first.stop();
      await fact('b', {});
      const second = consume('restarted');
      await second.until(1);
      await second.stop();
      deepEqual(
        second.messages.map(({ id }) => id),
        ['b'],
      );
    });

    test('tells how far it has come', async () => {
      const { fact, consume, definition } = await fixture(bus);
      const opened = await bus();
      const placeOf = (stream: string) => opened.placeOf({ stream, durable: 'told' });
      equal(await placeOf(definition.name), undefined);
      equal(await placeOf(`${definition.name}_GONE`), undefined);
      for (const id of ['a', 'b', 'c']) await fact(id, {});
      const seen = consume('told');
      await seen.until(3);
      await until(async () => (await placeOf(definition.name))?.pending === 0);
      await seen.stop();
      const first = await placeOf(definition.name);
      equal(first?.lastSequence, 3);
      await fact('d', {});
      deepEqual(await placeOf(definition.name), { ...first, lastSequence: 4, pending: 1 });
    });

    test('gives each durable name its own copy, and only what its filter takes', async () => {
      const { fact, consume } = await fixture(bus);
      await fact('a', {}, 'first');
      await fact('b', {}, 'second');
      const all = consume('all');
      const some = consume('some', undefined, 'second');
      await all.until(2);
      await some.until(1);
      await Promise.all([all.stop(), some.stop()]);
      deepEqual(
        some.messages.map(({ id }) => id),
        ['b'],
      );
    });

    test('shares the messages of one durable name, never more than a batch at once', async () => {
      const { fact, consume } = await fixture(bus);
      const ids = Array.from({ length: 40 }, (_, index) => `fact-${index}`);
      for (const id of ids) await fact(id, {});
      const one = consume('shared');
      const two = consume('shared');
      const total = () => one.messages.length + two.messages.length;
      await until(() => total() === ids.length);
      await Promise.all([one.stop(), two.stop()]);
      const seen = [...one.messages, ...two.messages].map(({ id }) => id);
      equal(seen.length, ids.length);
      deepEqual(new Set(seen), new Set<string | undefined>(ids));
      ok(Math.max(...one.batchSizes, ...two.batchSizes) <= batchMax);
    });
  });

  describe(`${name}: a batch`, () => {
    test('is made of what was read of each message as it came', async () => {
      const { fact, definition, kept } = await fixture(bus);
      const facts = { a: { n: 1 }, b: { n: 'ü – ✓' } };
      for (const [id, message] of Object.entries(facts)) await fact(id, message);
      const abort = new AbortController();
      const seen: unknown[] = [];
      const running = (await bus()).consume({
        stream: definition.name,
        durable: 'reading',
        filter: `${kept}.>`,
        batchMax,
        signal: abort.signal,
        read: ({ id, data, bytes, redelivered }) => [
          id,
          data,
          Buffer.from(bytes).toString(),
          redelivered,
        ],
        async handle(batch) {
          seen.push(...batch);
        },
      });
      await until(() => seen.length === 2);
      abort.abort();
      await running;
      deepEqual(
        seen,
        Object.entries(facts).map(([id, data]) => [id, data, JSON.stringify(data), false]),
      );
    });

    test('has the bytes of each message as they were', async () => {
      const { fact, consume } = await fixture(bus);
      const texts = ['{"a": "ü – \\u00fc ✓", "n":1.0}', '\ufeff{}', ' [ ]\n'];
      for (const text of texts) await fact(text.length.toString(), Buffer.from(text));
      const seen = consume('bytes');
      await seen.until(texts.length);
      await seen.stop();
      deepEqual(
        seen.messages.map(({ bytes }) => Buffer.from(bytes).toString()),
        texts,
      );
    });

    test('ends before it has more bytes than it may, but one message it has', async () => {
      const { fact, consume } = await fixture(bus);
      for (const [id, length] of Object.entries({ a: 40, b: 40, c: 40, d: 400, e: 10 }))
        await fact(id, { x: 'x'.repeat(length) });
      const seen = consume('bounded', undefined, '>', 100);
      await seen.until(5);
      await seen.stop();
      deepEqual(
        seen.messages.map(({ id }) => id),
        ['a', 'b', 'c', 'd', 'e'],
      );
      ok(seen.batchBytes.every((bytes) => bytes <= 100 || bytes > 400));
      ok(Math.max(...seen.batchSizes) <= 2);
    });
  });

  describe(`${name}: ensuring a stream`, () => {
    test('twice changes nothing and keeps what is stored', async () => {
      const { fact, consume, definition } = await fixture(bus);
      await fact('a', {});
      await (await bus()).ensureStream(definition);
      await (await bus()).ensureStream({ ...definition, ageMsMax: definition.ageMsMax * 2 });
      const seen = consume('kept');
      await seen.until(1);
      await seen.stop();
    });
  });
}

const batchMax = 8;

async function fixture(open: () => Promise<Bus>) {
  const bus = await open();
  const unique = randomUUID().replaceAll('-', '');
  const live = `live.${unique}`;
  const kept = `kept.${unique}`;
  const definition: StreamDefinition = {
    name: `CONTRACT_${unique}`,
    subjects: [`${kept}.>`],
    ageMsMax: 600_000,
    duplicateWindowMs: 60_000,
  };
  await bus.ensureStream(definition);
  return {
    live,
    kept,
    definition,
    publish: (part: string, message: object) => bus.publish(`${live}.${part}`, message),
    fact: async (id: string, message: object, part = 'thing') =>
      await bus.publishFact(`${kept}.${part}`, id, message),
    subscribe: async (part: string, then?: () => void) => {
      const seen = collection();
      const handler = (message: BusMessage) => {
        seen.add([message]);
        then?.();
      };
      await bus.subscribe(`${live}.${part}`, handler, { signal: seen.signal });
      return seen;
    },
    consume: (
      durable: string,
      then?: () => Promise<void>,
      part = '>',
      batchBytesMax: number = Infinity,
    ) => {
      const seen = collection();
      const running = bus.consume({
        stream: definition.name,
        durable,
        filter: `${kept}.${part}`,
        batchMax,
        batchBytesMax,
        signal: seen.signal,
        async handle(messages) {
          seen.add(messages);
          await then?.();
        },
      });
      return {
        ...seen,
        async stop(): Promise<void> {
          seen.stop();
          await running;
        },
      };
    },
  };
}

function collection() {
  const abort = new AbortController();
  const messages: BusMessage[] = [];
  const batchSizes: number[] = [];
  const batchBytes: number[] = [];
  return {
    messages,
    batchSizes,
    batchBytes,
    signal: abort.signal,
    add(batch: readonly BusMessage[]): void {
      messages.push(...batch);
      batchSizes.push(batch.length);
      batchBytes.push(batch.reduce((sum, { bytes }) => sum + bytes.length, 0));
    },
    stop: () => abort.abort(),
    until: async (count: number): Promise<void> => {
      await until(() => messages.length >= count);
    },
  };
}
