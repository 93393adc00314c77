import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, type BusMessage, connectBus, subjects } from '@sluice/bus';
import { until } from '@sluice/patience';
import { writeFact } from '@sluice/usage-facts';
import { inject, onTestFinished, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { ledgerFixture } from './testing/ledger-fixture.ts';

const logger = { info: () => {}, warn: () => {}, error: () => {} };
/** More than the ledger may have out at one time, which is 500. */
const messages = 900;
/** Shorter than the keep-alive of 1.5 s; four batches take longer than the broker waits, which is 5 s. */
const batchMs = 1_400;

/** The real bus of a ledger that gets too little of the processor. Tells each message of an account that is handled. */
async function starvedBus(accountId: string, onHandled: (id: string | undefined) => void) {
  const bus = await connectBus({
    url: inject('natsUrl'),
    token: inject('natsToken'),
    name: 'spec',
    logger,
  });
  onTestFinished(() => bus.stop());
  const subject = subjects.usageRecorded(accountId);
  const slow: Bus = {
    ...bus,
    consume: (options) =>
      bus.consume({
        ...options,
        async handle(batch) {
          await delay(batchMs);
          for (const one of batch as readonly BusMessage[])
            if (one.subject === subject) onHandled(one.id);
          await options.handle(batch);
        },
      }),
  };
  return { bus, slow, subject };
}

test('a ledger that is starved drains its backlog, and works on each message once', async () => {
  const accountId = `acct_${randomUUID().replaceAll('-', '')}`;
  const handled: (string | undefined)[] = [];
  const { bus, slow, subject } = await starvedBus(accountId, (id) => handled.push(id));
  const { count } = await ledgerFixture({ bus: () => slow });
  const ids = Array.from({ length: messages }, () => randomUUID());
  await Promise.all(
    ids.map((id) => {
      const fact = aFact({ accountId, usageId: `${id}/1/1`, generationId: id });
      return bus.publishFact(subject, id, { facts: [writeFact(fact)] });
    }),
  );
  const counted = () => count(`usage_facts WHERE account_id = '${accountId}'`);
  await until(async () => (await counted()) === messages, { everyMs: 100 });
  equal(handled.length, messages);
  equal(new Set(handled).size, messages);
});
