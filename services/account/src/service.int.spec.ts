import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { type BusMessage, creditStream, subjectFilters } from '@sluice/bus';
import { AccountKind } from '@sluice/protos/sluice/account/v1/account';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { type AccountWorld, accountWorld, aContext } from './testing/account-world.ts';

let world: AccountWorld;
beforeEach(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const values = {
  kind: AccountKind.ACCOUNT_KIND_ORGANIZATION,
  name: 'Example',
  ownerUserId: 'user_1',
  ownerEmail: 'owner@example.com',
  defaultWorkspaceId: randomUUID(),
};
const grant = { grantId: 'welcome', amountNanoUsd: 10_000_000_000n, reason: 'first start' };

describe('an account', () => {
  test('that was opened can be read at once', async () => {
    const opened = await world.accounts.openAccount({ context: aContext(), ...values });
    deepEqual(await world.accounts.getAccount({ accountId: 'org_1' }), opened);
    equal(opened.account?.defaultWorkspaceId, values.defaultWorkspaceId);
  });

  test('opened again is answered the same, with other values it is a conflict', async () => {
    const opened = await world.accounts.openAccount({ context: aContext(), ...values });
    deepEqual(await world.accounts.openAccount({ context: aContext(), ...values }), opened);
    await rejects(world.accounts.openAccount({ context: aContext(), ...values, name: 'Other' }), {
      code: 'conflict',
    });
  });

  test('that nobody opened is not found, and gets no credits', async () => {
    await rejects(world.accounts.getAccount({ accountId: 'org_1' }), { code: 'not_found' });
    await rejects(world.accounts.grantCredits({ context: aContext(), ...grant }), {
      code: 'not_found',
    });
  });

  test('is listed with all others, a page at a time, those opened first first', async () => {
    for (const accountId of ['org_1', 'org_2', 'org_3'])
      await world.accounts.openAccount({ context: { ...aContext(), accountId }, ...values });
    const page = async (offset: number, limit: number) => {
      const { accounts, totalCount } = await world.accounts.listAccounts({ offset, limit });
      return [accounts.map(({ accountId }) => accountId), totalCount];
    };
    deepEqual(await page(0, 2), [['org_1', 'org_2'], 3]);
    deepEqual(await page(2, 100), [['org_3'], 3]);
    deepEqual(await page(9, 1), [[], 3]);
    for (const [offset, limit] of [
      [0, 0],
      [0, 101],
      [-1, 1],
    ] as const)
      await rejects(world.accounts.listAccounts({ offset, limit }), { code: 'invalid_request' });
  });

  test('of no kind is refused with the issue', async () => {
    const kind = AccountKind.ACCOUNT_KIND_UNSPECIFIED;
    await rejects(world.accounts.openAccount({ context: aContext(), ...values, kind }), {
      code: 'invalid_request',
      metadata: {
        issues: [{ path: 'kind', message: 'must be personal or organization' }],
      },
    });
  });
});

describe('granted credits', () => {
  beforeEach(async () => {
    await world.accounts.openAccount({ context: aContext(), ...values });
  });

  test('become one fact under the id of the stored event, however often they are granted', async () => {
    await world.accounts.grantCredits({ context: aContext(), ...grant });
    await world.accounts.grantCredits({ context: aContext(), ...grant });
    await world.accounts.grantCredits({ context: aContext(), ...grant, grantId: 'second' });
    const facts = await consumed();
    await eventually(() => equal(facts.length, 2));
    const [, stored] = await Array.fromAsync(world.eventStore.read('account-org_1'));
    equal(facts[0]?.subject, 'credit.v1.recorded.org_1');
    equal(facts[0]?.id, stored?.id);
    const { occurredAt: _occurredAt, ...fact } = CreditRecorded.fromJSON(facts[0]?.data);
    deepEqual(fact, {
      creditId: stored?.id,
      accountId: 'org_1',
      entryKind: 'grant',
      amountNanoUsd: 10_000_000_000n,
    });
  });

  test('reach the bus after it was away', async () => {
    world.bus.setConnected(false);
    await world.accounts.grantCredits({ context: aContext(), ...grant });
    world.bus.setConnected(true);
    const facts = await consumed();
    await eventually(() => equal(facts.length, 1));
  });

  test('that were granted while nobody reacted are published by the next process, once', async () => {
    await world.accounts.grantCredits({ context: aContext(), ...grant });
    const facts = await consumed();
    await eventually(() => equal(facts.length, 1));
    await world.service.stop();
    await world.accounts.grantCredits({ context: aContext(), ...grant, grantId: 'second' });
    await world.restart();
    await eventually(() => equal(facts.length, 2));
  });
});

describe('bought credits', () => {
  const purchase = { purchaseId: 'pay_1', amountNanoUsd: 25_000_000_000n, reason: 'invoice 17' };
  const refund = { refundId: 'back_1', purchaseId: 'pay_1', amountNanoUsd: 5n, reason: 'unused' };
  beforeEach(async () => {
    await world.accounts.openAccount({ context: aContext(), ...values });
  });

  test('and what was refunded of them become facts, a refund a negative one, each once', async () => {
    const buyAndGiveBack = async () => {
      await world.accounts.purchaseCredits({ context: aContext(), ...purchase });
      await world.accounts.refundCredits({ context: aContext(), ...refund });
    };
    await buyAndGiveBack();
    await buyAndGiveBack();
    await world.accounts.grantCredits({ context: aContext(), ...grant });
    const facts = await consumed();
    await eventually(() => equal(facts.length, 3));
    deepEqual(
      facts.map(({ data }) => CreditRecorded.fromJSON(data)).map((fact) => fact.entryKind),
      ['purchase', 'refund', 'grant'],
    );
    const amounts = facts.map(({ data }) => CreditRecorded.fromJSON(data).amountNanoUsd);
    deepEqual(amounts, [25_000_000_000n, -5n, 10_000_000_000n]);
    const stored = await Array.fromAsync(world.eventStore.read('account-org_1'));
    deepEqual(
      facts.map(({ id }) => id),
      stored.slice(1).map(({ id }) => id),
    );
  });

  test('are refused when nobody opened the account, and a refund when nothing was bought', async () => {
    const other = { ...aContext(), accountId: 'org_2' };
    await rejects(world.accounts.purchaseCredits({ context: other, ...purchase }), {
      code: 'not_found',
    });
    await rejects(world.accounts.refundCredits({ context: aContext(), ...refund }), {
      code: 'not_found',
    });
  });

  test('are not given back beyond what was bought, with the rest named', async () => {
    await world.accounts.purchaseCredits({ context: aContext(), ...purchase });
    await world.accounts.refundCredits({ context: aContext(), ...refund });
    const more = { ...refund, refundId: 'back_2', amountNanoUsd: purchase.amountNanoUsd };
    await rejects(world.accounts.refundCredits({ context: aContext(), ...more }), {
      code: 'conflict',
      message: 'Of the purchase 24999999995 nano-USD are not refunded yet',
    });
  });
});

/** Collects the facts about credits; ends with the bus. */
async function consumed(): Promise<readonly BusMessage[]> {
  await world.bus.ensureStream(creditStream);
  return world.consume(creditStream.name, subjectFilters.creditRecorded);
}
