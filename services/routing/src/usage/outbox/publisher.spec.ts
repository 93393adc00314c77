import { deepEqual, equal, ok } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { until } from '@sluice/patience';
import { describe, onTestFinished, test } from 'vitest';
import type { Waiting } from './bundle.ts';
import { Outbox } from './outbox.ts';
import { publishUsage } from './publisher.ts';

const fact = (sequence: number, accountId = 'a'): Waiting => ({
  usageId: `gen-${String(sequence)}`,
  accountId,
  epoch: 1n,
  sequence: BigInt(sequence),
  count: 1,
  leaseEpoch: 1n,
  completedAtMs: 0,
  json: Buffer.from(`"${String(sequence)}"`),
  spoolSequence: BigInt(sequence),
  bundle: undefined,
});
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Sent {
  readonly subject: string;
  readonly id: string;
  readonly facts: readonly string[];
}

/** Returns a publisher whose bus answers as the test sets it. */
function publishing(answer: (sent: Sent, attempt: number) => Promise<void>) {
  const outbox = new Outbox();
  const sent: Sent[] = [];
  const stopping = new AbortController();
  const bus = {
    async publishFact(subject: string, id: string, message: object) {
      const text = Buffer.from(message as Uint8Array).toString();
      const { facts } = JSON.parse(text) as { readonly facts: readonly string[] };
      sent.push({ subject, id, facts });
      await answer({ subject, id, facts }, sent.length);
      return { stream: 'USAGE', sequence: sent.length };
    },
  };
  const ended = publishUsage({ outbox, bus, logger, signal: stopping.signal });
  onTestFinished(async () => {
    stopping.abort();
    await ended;
  });
  return { outbox, sent };
}

describe('publishing usage', () => {
  test('sends the facts of an account in order, those of a moment in one message', async () => {
    const { outbox, sent } = publishing(async () => {});
    for (const sequence of [1, 2, 3]) outbox.add(fact(sequence));
    outbox.add(fact(4, 'b'));
    await until(() => sent.length === 2);
    deepEqual(
      sent.map(({ subject, facts }) => [subject, facts]),
      [
        ['usage.v1.recorded.a', ['1', '2', '3']],
        ['usage.v1.recorded.b', ['4']],
      ],
    );
  });

  test('sends what the bus did not take again under the same id, before what came later', async () => {
    const { outbox, sent } = publishing(async ({ facts }, attempt) => {
      if (attempt <= 3 && !facts.includes('60')) throw new Fault('bus_unavailable');
    });
    for (let sequence = 1; sequence <= 120; sequence += 1) outbox.add(fact(sequence));
    await until(() => sent.length === 3);
    outbox.add(fact(121));
    await until(() => sent.length === 6);
    const [first, second, third, ...again] = sent;
    deepEqual(again.slice(0, 2), [first, third]);
    deepEqual(again[2]?.facts, ['121']);
    equal(second?.facts.length, 50);
  });

  test('takes more at once while the bus is slow: messages grow, not their number', async () => {
    const release: (() => void)[] = [];
    const { outbox, sent } = publishing(
      () => new Promise<void>((resolve) => void release.push(resolve)),
    );
    outbox.add(fact(1));
    await until(() => sent.length === 1);
    for (let sequence = 2; sequence <= 41; sequence += 1)
      outbox.add(fact(sequence, sequence % 2 === 0 ? 'a' : 'b'));
    release.pop()?.();
    await until(() => sent.length === 3);
    deepEqual(
      sent.map(({ facts }) => facts.length),
      [1, 20, 20],
    );
    for (const one of release) one();
  });

  test('has no more than 256 messages on their way', async () => {
    const release: (() => void)[] = [];
    const { outbox, sent } = publishing(
      () => new Promise<void>((resolve) => void release.push(resolve)),
    );
    for (let sequence = 1; sequence <= 300; sequence += 1)
      outbox.add(fact(sequence, `account-${String(sequence)}`));
    await until(() => sent.length === 256);
    ok(outbox.hasUnpublished);
    for (const one of release) one();
    await until(() => sent.length === 300);
    for (const one of release) one();
  });
});
