import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  type BusMessage,
  creditStream,
  type InMemoryBus,
  inMemoryBus,
  subjectFilters,
} from '@sluice/bus';
import { type EventStore, inMemoryEventStore } from '@sluice/es';
import { AccountKind, AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { type RpcClient, rpcClient, type RpcServer, startRpcServer } from '@sluice/rpc';
import { systemClock, systemIds } from '@sluice/clock-and-ids';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import { noDirectory } from './directory/directory-source.ts';
import type { AggregateService } from '@sluice/boot/aggregate-service';
import { createService } from './service.ts';
import { inMemoryWorkspaces } from './testing/in-memory-workspaces.ts';

const token = 'a-token';
let database: TestDatabase;
let eventStore: EventStore;
let bus: InMemoryBus;
let service: AggregateService;
let server: RpcServer;
let client: RpcClient<typeof AccountServiceService>;
let facts: BusMessage[];

function newService(): AggregateService {
  return createService({
    eventStore,
    database,
    bus,
    workspaces: inMemoryWorkspaces(),
    directory: noDirectory,
    ids: systemIds,
    clock: systemClock,
    logger: createLogger({ service: 'account', level: 'silent' }),
    telemetry: createTelemetry({ serviceName: 'account', otlpEndpoint: undefined }),
  });
}

beforeEach(async () => {
  database = await testDatabase({ url: inject('postgresUrl') });
  eventStore = inMemoryEventStore({ now: () => systemClock.now() });
  bus = inMemoryBus();
  facts = [];
  service = newService();
  await service.start();
  const onBug = (error: unknown) => {
    throw error;
  };
  server = await startRpcServer({ services: service.rpc, address: '127.0.0.1:0', token, onBug });
  client = rpcClient(AccountServiceService, { address: server.address, token, deadlineMs: 5_000 });
});
afterEach(async () => {
  client.close();
  await server.stop();
  await service.stop();
  await bus.stop();
  await database.drop();
});

const context = (commandId: string = randomUUID()) => ({
  commandId,
  requestId: 'req-1',
  accountId: 'org_1',
  actorType: 'system',
  actorId: 'bootstrap',
  traceparent: '',
});
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
    const opened = await client.openAccount({ context: context(), ...values });
    deepEqual(await client.getAccount({ accountId: 'org_1' }), opened);
    equal(opened.account?.defaultWorkspaceId, values.defaultWorkspaceId);
  });

  test('opened again is answered the same, with other values it is a conflict', async () => {
    const opened = await client.openAccount({ context: context(), ...values });
    deepEqual(await client.openAccount({ context: context(), ...values }), opened);
    await rejects(client.openAccount({ context: context(), ...values, name: 'Other' }), {
      code: 'conflict',
    });
  });

  test('that nobody opened is not found, and gets no credits', async () => {
    await rejects(client.getAccount({ accountId: 'org_1' }), { code: 'not_found' });
    await rejects(client.grantCredits({ context: context(), ...grant }), { code: 'not_found' });
  });

  test('is listed with all others, a page at a time, those opened first first', async () => {
    for (const accountId of ['org_1', 'org_2', 'org_3'])
      await client.openAccount({ context: { ...context(), accountId }, ...values });
    const page = async (offset: number, limit: number) => {
      const { accounts, totalCount } = await client.listAccounts({ offset, limit });
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
      await rejects(client.listAccounts({ offset, limit }), { code: 'invalid_request' });
  });

  test('of no kind is refused with the issue', async () => {
    const kind = AccountKind.ACCOUNT_KIND_UNSPECIFIED;
    await rejects(client.openAccount({ context: context(), ...values, kind }), {
      code: 'invalid_request',
      metadata: {
        issues: [{ path: 'kind', message: 'must be personal or organization' }],
      },
    });
  });
});

describe('granted credits', () => {
  beforeEach(async () => {
    await client.openAccount({ context: context(), ...values });
  });

  test('become one fact under the id of the stored event, however often they are granted', async () => {
    await client.grantCredits({ context: context(), ...grant });
    await client.grantCredits({ context: context(), ...grant });
    await client.grantCredits({ context: context(), ...grant, grantId: 'second' });
    await consume();
    await eventually(() => equal(facts.length, 2));
    const [, stored] = await Array.fromAsync(eventStore.read('account-org_1'));
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
    bus.setConnected(false);
    await client.grantCredits({ context: context(), ...grant });
    bus.setConnected(true);
    await consume();
    await eventually(() => equal(facts.length, 1));
  });

  test('that were granted while nobody reacted are published by the next process, once', async () => {
    await client.grantCredits({ context: context(), ...grant });
    await consume();
    await eventually(() => equal(facts.length, 1));
    await service.stop();
    await client.grantCredits({ context: context(), ...grant, grantId: 'second' });
    service = newService();
    await service.start();
    await eventually(() => equal(facts.length, 2));
  });
});

describe('bought credits', () => {
  const purchase = { purchaseId: 'pay_1', amountNanoUsd: 25_000_000_000n, reason: 'invoice 17' };
  const refund = { refundId: 'back_1', purchaseId: 'pay_1', amountNanoUsd: 5n, reason: 'unused' };
  beforeEach(async () => {
    await client.openAccount({ context: context(), ...values });
  });

  test('and what was refunded of them become facts, a refund a negative one, each once', async () => {
    const buyAndGiveBack = async () => {
      await client.purchaseCredits({ context: context(), ...purchase });
      await client.refundCredits({ context: context(), ...refund });
    };
    await buyAndGiveBack();
    await buyAndGiveBack();
    await client.grantCredits({ context: context(), ...grant });
    await consume();
    await eventually(() => equal(facts.length, 3));
    deepEqual(
      facts.map(({ data }) => CreditRecorded.fromJSON(data)).map((fact) => fact.entryKind),
      ['purchase', 'refund', 'grant'],
    );
    const amounts = facts.map(({ data }) => CreditRecorded.fromJSON(data).amountNanoUsd);
    deepEqual(amounts, [25_000_000_000n, -5n, 10_000_000_000n]);
    const stored = await Array.fromAsync(eventStore.read('account-org_1'));
    deepEqual(
      facts.map(({ id }) => id),
      stored.slice(1).map(({ id }) => id),
    );
  });

  test('are refused when nobody opened the account, and a refund when nothing was bought', async () => {
    const other = { ...context(), accountId: 'org_2' };
    await rejects(client.purchaseCredits({ context: other, ...purchase }), { code: 'not_found' });
    await rejects(client.refundCredits({ context: context(), ...refund }), { code: 'not_found' });
  });

  test('are not given back beyond what was bought, with the rest named', async () => {
    await client.purchaseCredits({ context: context(), ...purchase });
    await client.refundCredits({ context: context(), ...refund });
    const more = { ...refund, refundId: 'back_2', amountNanoUsd: purchase.amountNanoUsd };
    await rejects(client.refundCredits({ context: context(), ...more }), {
      code: 'conflict',
      message: 'Of the purchase 24999999995 nano-USD are not refunded yet',
    });
  });
});

/** Collects what lies in the stream CREDIT; ends with the bus. */
async function consume(): Promise<void> {
  await bus.ensureStream(creditStream);
  void bus.consume({
    stream: creditStream.name,
    durable: 'spec',
    filter: subjectFilters.creditRecorded,
    batchMax: 10,
    signal: new AbortController().signal,
    handle: async (messages) => void facts.push(...messages),
  });
}
