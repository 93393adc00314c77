import { type Bus, type InMemoryBus, inMemoryBus, subjects } from '@sluice/bus';
import { until } from '@sluice/patience';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { testDatabase } from '@sluice/read-model/testing';
import { rpcClient, startRpcServer } from '@sluice/rpc';
import { createTelemetry } from '@sluice/telemetry';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import { inject, onTestFinished } from 'vitest';
import { ledgerSchema } from '../schema.ts';
import { createService } from '../service.ts';

/** The instant that the questions of a test are about: a Wednesday. */
export const at = '2026-11-18T20:00:00.000Z';

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const sql = (text: string) => ({ text, values: [] });

export const windows = (lifetime: bigint, daily = lifetime, weekly = daily, monthly = weekly) => ({
  lifetimeNanoUsd: lifetime,
  dailyNanoUsd: daily,
  weeklyNanoUsd: weekly,
  monthlyNanoUsd: monthly,
});

/** Running ledgers on one real PostgreSQL schema and a bus in memory, asked over rpc. */
export async function ledgerFixture(
  options: { bus?: (bus: InMemoryBus) => Bus; ledgers?: number } = {},
) {
  const { migrations } = ledgerSchema;
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const memory = inMemoryBus();
  onTestFinished(() => memory.stop());
  const telemetry = createTelemetry({ serviceName: 'ledger', otlpEndpoint: undefined });
  onTestFinished(() => telemetry.stop());
  const bus = options.bus?.(memory) ?? memory;
  const services = Array.from({ length: options.ledgers ?? 1 }, () =>
    createService({ bus, database, logger, telemetry }),
  );
  for (const service of services) {
    await service.start();
    onTestFinished(() => service.stop());
  }
  const token = 'token-for-specs';
  const server = await startRpcServer({
    services: services[0]?.rpc ?? [],
    address: '127.0.0.1:0',
    token,
    onBug: (error) => {
      throw error;
    },
  });
  onTestFinished(() => server.stop());
  const { address } = server;
  const client = rpcClient(LedgerServiceService, { address, token, deadlineMs: 30_000 });
  onTestFinished(() => client.close());
  let published = 0;
  const count = async (text: string) =>
    Number(
      (await database.query<{ count: bigint }>(sql(`SELECT count(*) FROM ${text}`)))[0]?.count,
    );
  const publishBundle = async (facts: readonly UsageFact[], accountId = facts[0]?.accountId) => {
    const subject = subjects.usageRecorded(accountId ?? '');
    await memory.publishFact(subject, `m${++published}`, { facts: facts.map(writeFact) });
  };
  return {
    bus: memory,
    database,
    client,
    count,
    metrics: () => telemetry.prometheus(),
    /** Each under a broker id of its own, so that the broker takes duplicates too. */
    publish: async (...facts: readonly UsageFact[]) => {
      for (const fact of facts) await publishBundle([fact]);
    },
    publishBundle,
    publishCredit: async (creditId: string, entryKind: string, amountNanoUsd: bigint) => {
      const entry = { creditId, accountId: 'acct_1', entryKind, amountNanoUsd, occurredAt: at };
      const message = CreditRecorded.toJSON(entry) as object;
      await memory.publishFact(subjects.creditRecorded('acct_1'), `m${++published}`, message);
    },
    keyUsage: async (keyHash = 'key1', instant = at) => {
      const request = { accountId: 'acct_1', keyHashes: [keyHash], at: instant };
      return (await client.getKeyUsage(request)).usages[0];
    },
    /** Counts everything as of the first day of the year, so that a past instant can be asked about. */
    countEarlier: async () => {
      const counted = `SET counted_at = '2026-01-01T00:00:00Z'`;
      await database.query(sql(`UPDATE credits ${counted}`));
      await database.query(sql(`UPDATE usage_facts ${counted}`));
    },
    /** Returns the settled and the suspended amount in the proof of the budget of the account. */
    accountProof: async (instant: string) => {
      const request = { accountId: 'acct_1', scopeId: 'acct_1', at: instant };
      const [budget] = (await client.getBudgetProof(request)).budgets;
      return [budget?.settledNanoUsd, budget?.suspendedNanoUsd];
    },
    watermark: async (replica = 'routing-0', epoch = 1n) =>
      (await client.getWatermark({ replica, epoch })).sequence,
    until: (condition: () => Promise<boolean>) => until(condition),
  };
}
