import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, connectBus, subjects, usageStream } from '@sluice/bus';
import { until } from '@sluice/patience';
import { UsageCorrected, UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { readUsage } from './usage-table.ts';

const server = { url: inject('natsUrl'), token: inject('natsToken') };
const logger = { info: () => {}, warn: () => {}, error: () => {} };
const program = join(import.meta.dirname, '../../../docs/examples/usage-consumer.mjs');

let bus: Bus;
let directory: string;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  bus = await connectBus({ ...server, name: 'spec', logger });
  await bus.ensureStream(usageStream);
  directory = await mkdtemp(join(tmpdir(), 'sluice-example-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  await bus.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('the example consumer of usage', () => {
  test('has 60 lines at most', async () => {
    const lines = (await readFile(program, 'utf8')).trimEnd().split('\n');
    ok(lines.length <= 60, String(lines.length));
  });

  test('sums what each workspace paid, exactly', async () => {
    const account = newAccount();
    const consumer = start(account.id);
    await account.publish({ usageId: 'a', workspaceId: 'w1', costNanoUsd: 1_500_000_001n });
    await account.publish({ usageId: 'b', workspaceId: 'w2', costNanoUsd: 7n });
    await account.publish({ usageId: 'c', workspaceId: 'w1', costNanoUsd: 0n });
    deepEqual(await consumer.sums(3), { w1: 1_500_000_001n, w2: 7n });
  });

  test('counts the fee alone of a fact with an own credential', async () => {
    const account = newAccount();
    const consumer = start(account.id);
    const own = { isByok: true, costNanoUsd: 1_000_000n };
    await account.publish({ ...own, usageId: 'a', workspaceId: 'w1' });
    await account.publish({ ...own, usageId: 'b', workspaceId: 'w1', feeNanoUsd: 50_000n });
    await account.publish({ usageId: 'c', workspaceId: 'w1', costNanoUsd: 7n });
    deepEqual(await consumer.sums(3), { w1: 50_007n });
  });

  test('counts what is left of a cost after its discount', async () => {
    const account = newAccount();
    const discount = { dataDiscountNanoUsd: 10n, dataDiscountBasisPoints: 100n };
    await account.publish({ usageId: 'a', workspaceId: 'w1', costNanoUsd: 990n, ...discount });
    deepEqual(await start(account.id).sums(1), { w1: 990n });
  });

  test('replaces an estimate by its correction, whichever comes first, and takes no expiry for it', async () => {
    const account = newAccount();
    const fact = { usageId: 'a', workspaceId: 'w1', costNanoUsd: 9n };
    await account.publish(fact);
    await account.correct({ ...fact, costNanoUsd: 4n });
    await account.correct({ ...fact, costNanoUsd: 4n });
    await account.correct({ ...fact, usageId: 'b', costNanoUsd: 1n });
    await account.publish({ ...fact, usageId: 'b' });
    await account.correct({ ...fact, usageId: 'b' }, 'expiry');
    await account.publish({ ...fact, usageId: 'last', costNanoUsd: 0n });
    deepEqual(await start(account.id).sums(3), { w1: 5n });
  });

  test('counts a usage id once, also when it is stored a second time', async () => {
    const account = newAccount();
    const fact = { usageId: 'a', workspaceId: 'w1', costNanoUsd: 5n };
    await account.publish(fact, 'under one message id');
    await account.publish(fact, 'under another');
    await account.publish({ ...fact, usageId: 'last', costNanoUsd: 0n });
    deepEqual(await start(account.id).sums(2), { w1: 5n });
  });

  test('goes on after a kill where it was, with what it had counted', async () => {
    const account = newAccount();
    const first = start(account.id);
    await account.publish({ usageId: 'a', workspaceId: 'w1', costNanoUsd: 1n });
    await first.sums(1);
    await first.end();
    await account.publish({ usageId: 'b', workspaceId: 'w1', costNanoUsd: 2n });
    deepEqual(await start(account.id).sums(2), { w1: 3n });
  });

  test('reads more than a batch', async () => {
    const account = newAccount();
    const facts = Array.from({ length: 1_200 }, (_, index) => `fact ${index}`);
    await Promise.all(
      facts.map((usageId) => account.publish({ usageId, workspaceId: 'w1', costNanoUsd: 3n })),
    );
    deepEqual(await start(account.id).sums(1_200), { w1: 3_600n });
  });

  test('ends at what is no usage fact, and skips nothing', async () => {
    const account = newAccount();
    await account.publish({ usageId: 'a', workspaceId: 'w1', costNanoUsd: 1n });
    const tooMuch = { usageId: 'b', workspaceId: 'w', costNanoUsd: '9'.repeat(30) };
    await bus.publishFact(subjects.usageRecorded(account.id), randomUUID(), { facts: [tooMuch] });
    const consumer = start(account.id);
    equal(await consumer.ended, 1);
    deepEqual(consumer.read(), new Map());
  });

  test('ends with an error when the password is wrong', async () => {
    const consumer = start(newAccount().id, { SLUICE_NATS_PASSWORD: 'wrong' });
    equal(await consumer.ended, 1);
  });
});

/** An account of its own for each test: the stream is shared. */
function newAccount() {
  const id = `spec_${randomUUID()}`;
  return {
    id,
    publish: (fact: Partial<UsageRecorded>, messageId: string = randomUUID()) => {
      const written = UsageRecorded.toJSON(UsageRecorded.fromPartial({ accountId: id, ...fact }));
      return bus.publishFact(subjects.usageRecorded(id), messageId, { facts: [written] });
    },
    correct: (fact: Partial<UsageRecorded>, source = 'receipt') => {
      const correction = UsageCorrected.fromPartial({
        correctionId: `${fact.usageId}/${source}`,
        source,
        fact: { accountId: id, ...fact },
      });
      const written = UsageCorrected.toJSON(correction) as object;
      return bus.publishFact(subjects.usageCorrected(id), randomUUID(), written);
    },
  };
}

function start(accountId: string, settings: Readonly<Record<string, string>> = {}) {
  const file = join(directory, 'usage.sqlite');
  const child = spawn(process.execPath, [program], {
    env: {
      ...bareEnvironment,
      SLUICE_NATS_URL: server.url,
      SLUICE_NATS_PASSWORD: inject('natsReaderPassword'),
      SLUICE_ACCOUNT_ID: accountId,
      EXAMPLE_DATABASE: file,
      ...settings,
    },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const end = async () => {
    child.kill('SIGKILL');
    return await ended;
  };
  stops.push(end);
  const read = () => readUsage(file);
  return {
    ended,
    end,
    read,
    /** Returns the sum of each workspace as soon as the table has so many facts. */
    sums: async (facts: number) => {
      await until(() => read().size >= facts);
      const sums: Record<string, bigint> = {};
      for (const { workspace, credits } of read().values())
        sums[workspace] = (sums[workspace] ?? 0n) + credits;
      return sums;
    },
  };
}
