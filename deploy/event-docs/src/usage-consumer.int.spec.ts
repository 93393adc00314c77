import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, connectBus, subjects, usageStream } from '@sluice/bus';
import { until } from '@sluice/patience';
import { UsageCorrected, UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';

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
  test('sums the cost of each workspace, exactly', async () => {
    const account = newAccount();
    const consumer = start(account.id);
    await account.publish({ usageId: 'a', workspaceId: 'w1', costNanoUsd: 1_500_000_001n });
    await account.publish({ usageId: 'b', workspaceId: 'w2', costNanoUsd: 7n });
    await account.publish({ usageId: 'c', workspaceId: 'w1', costNanoUsd: 0n });
    await consumer.until(3);
    deepEqual(consumer.counted(), [
      'w1: 1 facts, 1.500000001 USD',
      'w2: 1 facts, 0.000000007 USD',
      'w1: 2 facts, 1.500000001 USD',
    ]);
  });

  test('counts the fee alone of a fact with an own credential', async () => {
    const account = newAccount();
    const consumer = start(account.id);
    const own = { isByok: true, costNanoUsd: 1_000_000n };
    await account.publish({ ...own, usageId: 'a', workspaceId: 'w1' });
    await account.publish({ ...own, usageId: 'b', workspaceId: 'w1', feeNanoUsd: 50_000n });
    await account.publish({ usageId: 'c', workspaceId: 'w1', costNanoUsd: 7n });
    await consumer.until(3);
    equal(consumer.counted().at(-1), 'w1: 3 facts, 0.000050007 USD');
  });

  test('replaces an estimate by its correction, whichever comes first, once', async () => {
    const account = newAccount();
    const consumer = start(account.id);
    const fact = { usageId: 'a', workspaceId: 'w1', costNanoUsd: 9n };
    await account.publish(fact);
    await account.correct({ ...fact, costNanoUsd: 4n });
    await account.correct({ ...fact, costNanoUsd: 4n });
    await account.correct({ ...fact, usageId: 'b', costNanoUsd: 1n });
    await account.publish({ ...fact, usageId: 'b' });
    await consumer.until(5);
    deepEqual(consumer.counted(), [
      'w1: 1 facts, 0.000000009 USD',
      'w1: 1 facts, 0.000000004 USD',
      'w1: 1 facts, 0.000000004 USD (again)',
      'w1: 2 facts, 0.000000005 USD',
      'w1: 2 facts, 0.000000005 USD (again)',
    ]);
  });

  test('counts a usage id once, also when it is stored a second time', async () => {
    const account = newAccount();
    const consumer = start(account.id);
    const fact = { usageId: 'a', workspaceId: 'w1', costNanoUsd: 5n };
    await account.publish(fact, 'under one message id');
    await account.publish(fact, 'under another');
    await consumer.until(2);
    deepEqual(consumer.counted(), [
      'w1: 1 facts, 0.000000005 USD',
      'w1: 1 facts, 0.000000005 USD (again)',
    ]);
  });

  test('goes on after a kill where it was, with what it had counted', async () => {
    const account = newAccount();
    const first = start(account.id);
    await account.publish({ usageId: 'a', workspaceId: 'w1', costNanoUsd: 1n });
    await first.until(1);
    await first.end('SIGKILL');
    await account.publish({ usageId: 'b', workspaceId: 'w1', costNanoUsd: 2n });
    const second = start(account.id);
    await second.until(1);
    deepEqual(second.counted(), ['w1: 2 facts, 0.000000003 USD']);
    equal(await second.end('SIGTERM'), 0);
  });

  test('passes over what is no usage fact, once, and says so', async () => {
    const account = newAccount();
    const consumer = start(account.id);
    const tooMuch = { usageId: 'b', workspaceId: 'w', costNanoUsd: '9'.repeat(30) };
    const whole = { usageId: 'd', workspaceId: 'w1', costNanoUsd: '2' };
    for (const message of [{ usageId: 'a' }, { facts: [tooMuch, null, whole] }])
      await bus.publishFact(subjects.usageRecorded(account.id), randomUUID(), message);
    await account.publish({ usageId: 'c', workspaceId: 'w1', costNanoUsd: 1n });
    await consumer.until(2);
    equal(consumer.refused().length, 3);
    deepEqual(consumer.counted(), ['w1: 1 facts, 0.000000002 USD', 'w1: 2 facts, 0.000000003 USD']);
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
    correct: (fact: Partial<UsageRecorded>) => {
      const correction = UsageCorrected.fromPartial({
        correctionId: `${fact.usageId}/receipt`,
        fact: { accountId: id, ...fact },
      });
      const written = UsageCorrected.toJSON(correction) as object;
      return bus.publishFact(subjects.usageCorrected(id), randomUUID(), written);
    },
  };
}

function start(accountId: string, settings: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [program], {
    env: {
      SLUICE_NATS_URL: server.url,
      SLUICE_NATS_PASSWORD: inject('natsReaderPassword'),
      SLUICE_ACCOUNT_ID: accountId,
      EXAMPLE_DATABASE: join(directory, 'usage.sqlite'),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await ended;
  };
  stops.push(() => end('SIGKILL'));
  const lines = (text: string) => text.split('\n').slice(0, -1);
  const counted = () => lines(output).filter((line) => line.includes(' facts, '));
  return {
    ended,
    end,
    counted,
    refused: () => lines(errors),
    until: async (count: number) => {
      await until(() => counted().length >= count);
    },
  };
}
