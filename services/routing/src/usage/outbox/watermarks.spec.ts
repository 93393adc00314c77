import { deepEqual, equal } from 'node:assert/strict';
import { inMemoryBus, subjects, usageStream } from '@sluice/bus';
import { until } from '@sluice/patience';
import { describe, onTestFinished, test } from 'vitest';
import { bundleJson, noteStored, type Waiting } from './bundle.ts';
import { Outbox } from './outbox.ts';
import { followWatermarks } from './watermarks.ts';

const fact = (sequence: bigint): Waiting => ({
  usageId: `gen-${sequence}`,
  accountId: `account-${sequence}`,
  epoch: 1n,
  sequence,
  count: 1,
  leaseEpoch: 1n,
  completedAtMs: 0,
  json: Buffer.from(`"${sequence}"`),
  spoolSequence: sequence,
  bundle: undefined,
});
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const longAgo = () => performance.now() - 60_000;

/** Returns the records of all facts from a sequence on, with those of other attempts between them. */
async function* records(from: bigint) {
  for (let sequence = from; sequence <= 1_000n; sequence += 1n) {
    const payload = Buffer.from(`{"v":1,"type":"final","fact":"${sequence}"}`);
    yield { sequence, payload };
  }
}

/** Facts that were published a minute ago, of which a ledger has counted none. */
async function starved(count: number) {
  const bus = inMemoryBus();
  await bus.ensureStream(usageStream);
  const outbox = new Outbox();
  for (let sequence = 1n; sequence <= count; sequence += 1n) outbox.add(fact(sequence));
  const bundles = outbox.take(1_000, Infinity);
  for (const bundle of bundles) {
    const { accountId, id } = bundle;
    const at = await bus.publishFact(subjects.usageRecorded(accountId), id, bundleJson(bundle));
    noteStored(bundle, at);
    if (bundle.stored) bundle.stored.knownAtMs = longAgo();
  }
  let rounds = 0;
  const follow = () => {
    const stopping = new AbortController();
    const ended = followWatermarks({
      bus,
      outbox,
      ledger: { getWatermark: async () => ({ sequence: 0n }) },
      journal: { releaseSpool: async () => void (rounds += 1) },
      spool: { read: records },
      replica: { id: 'replica', epoch: 1n },
      logger,
      signal: stopping.signal,
      intervalMs: 1,
    });
    onTestFinished(async () => {
      stopping.abort();
      await ended;
    });
  };
  const anotherRound = async () => {
    const before = rounds;
    await until(() => rounds >= before + 2);
  };
  return { bus, outbox, bundles, follow, anotherRound };
}

describe('facts that a slow ledger has not counted', () => {
  test('are not sent again while the broker has them', async () => {
    const { outbox, bundles, follow, anotherRound } = await starved(200);
    follow();
    await until(() =>
      bundles.every(({ stored }) => stored && stored.knownAtMs > longAgo() + 30_000),
    );
    await anotherRound();
    equal(outbox.hasUnpublished, false);
    equal(outbox.size, 200);
  });

  test('are sent again where the broker has another message at their place', async () => {
    const { outbox, bundles, follow } = await starved(3);
    const [first, second, third] = bundles;
    if (second?.stored && third?.stored) second.stored = { ...second.stored, at: third.stored.at };
    follow();
    await until(() => outbox.hasUnpublished);
    const again = outbox.take(10, Infinity);
    deepEqual(again, [second]);
    deepEqual(again.map(bundleJson), [Buffer.from('{"facts":["2"]}')]);
    equal(first?.stored === undefined, false);
  });

  test('stay as they are while the broker cannot be asked', async () => {
    const { bus, outbox, bundles, follow, anotherRound } = await starved(3);
    bus.setConnected(false);
    follow();
    await anotherRound();
    equal(outbox.hasUnpublished, false);
    bus.setConnected(true);
    await until(() =>
      bundles.every(({ stored }) => stored && stored.knownAtMs > longAgo() + 30_000),
    );
  });
});
