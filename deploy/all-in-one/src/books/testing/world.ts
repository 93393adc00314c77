import { analyticsSchema } from '@sluice/analytics/schema';
import { createService as createAnalytics } from '@sluice/analytics/service';
import { inMemoryBus, subjects } from '@sluice/bus';
import { createService as createLedger } from '@sluice/ledger/service';
import { ledgerSchema } from '@sluice/ledger/schema';
import { destinationCalls } from '@sluice/observer/testing';
import { GenerationFailed } from '@sluice/protos/sluice/generation/v1/generation_events';
import { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import { ExportServiceService } from '@sluice/protos/sluice/analytics/v1/export';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import { testDatabase } from '@sluice/read-model/testing';
import { rpcClient, type RpcService, startRpcServer } from '@sluice/rpc';
import { createTelemetry, type Telemetry } from '@sluice/telemetry';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import type { FileCalls } from '@sluice/workspace-files';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { inject, onTestFinished } from 'vitest';

/** Everything happens around this instant. */
export const now = new Date('2026-11-18T20:00:00.000Z');

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
export const token = 'token-for-specs';
const retention = { factDays: 31, hourDays: 62, dayDays: 400 };

export interface Books {
  readonly ledger: ReturnType<typeof ledgerOf>;
  readonly analytics: () => ReturnType<typeof analyticsOf>;
  readonly exports: () => ReturnType<typeof exportsOf>;
  readonly analyticsAddress: () => string;
  /** The files of workspaces, in memory. Exports go there. */
  readonly files: FileCalls;
  /** The tables of analytics. */
  readonly tables: Database;
  readonly telemetry: Telemetry;
  publish(facts: readonly UsageFact[]): Promise<void>;
  /** Publishes facts of one account in one message. */
  publishBundle(facts: readonly UsageFact[]): Promise<void>;
  /** Publishes a failed request of each of these instants. */
  publishFailures(instants: readonly Date[]): Promise<void>;
  /** Stops the running analytics, and starts another one on the same tables. */
  restartAnalytics(): Promise<void>;
}

/** A ledger and analytics on one bus in memory. Each commit of analytics may fail, as `fails` says. */
export async function books(
  fails: () => 'before' | 'after' | undefined,
  options: { readonly checkIntervalMs?: number; readonly at?: Date } = {},
): Promise<Books> {
  const { at = now, ...intervals } = options;
  const clock = { now: () => at };
  const bus = inMemoryBus();
  onTestFinished(() => bus.stop());
  const telemetry = createTelemetry({ serviceName: 'books', otlpEndpoint: undefined });
  onTestFinished(() => telemetry.stop());
  const url = inject('postgresUrl');
  const ledgerTables = await testDatabase({ url, migrations: ledgerSchema.migrations });
  onTestFinished(() => ledgerTables.drop());
  const tables = await testDatabase({ url, migrations: analyticsSchema.migrations });
  onTestFinished(() => tables.drop());
  const common = { bus, telemetry, logger: quiet, clock };
  const files = inMemoryFiles(clock);
  const ledger = createLedger({ ...common, database: ledgerTables });
  await ledger.start();
  onTestFinished(() => ledger.stop());
  const ledgerAddress = await served(ledger.rpc);
  const ledgerClient = ledgerOf(ledgerAddress);
  let running = await startAnalytics();
  async function startAnalytics() {
    // The tables are made before anything is counted.
    let isReady = false;
    const service = createAnalytics({
      ...common,
      database: failing(tables, () => (isReady ? fails() : undefined)),
      questions: tables,
      ledger: ledgerClient,
      files,
      destinations: destinationCalls(() => []),
      egress: { send: () => Promise.reject(new Error('there is no bucket here')) },
      retention,
      ledgerIntervalMs: 50,
      ...intervals,
    });
    await service.start();
    isReady = true;
    const address = await served(service.rpc);
    return { service, address, client: analyticsOf(address), exports: exportsOf(address) };
  }
  onTestFinished(() => running.service.stop());
  let published = 0;
  const publishBundle = async (facts: readonly UsageFact[]) => {
    const subject = subjects.usageRecorded(facts[0]?.accountId ?? '');
    await bus.publishFact(subject, `m${++published}`, { facts: facts.map(writeFact) });
  };
  return {
    ledger: ledgerClient,
    analytics: () => running.client,
    exports: () => running.exports,
    files,
    analyticsAddress: () => running.address,
    tables,
    telemetry,
    async publish(facts) {
      for (const fact of facts) await publishBundle([fact]);
    },
    publishBundle,
    async publishFailures(instants) {
      for (const at of instants) {
        const failureId = `m${++published}`;
        const failure = GenerationFailed.toJSON(
          GenerationFailed.create({
            failureId,
            generationId: failureId,
            accountId: 'acct_1',
            workspaceId: 'ws_1',
            keyHash: 'key1',
            model: 'broken',
            admittedAt: at.toISOString(),
          }),
        );
        await bus.publishFact(subjects.generationFailed('acct_1'), failureId, failure as object);
      }
    },
    async restartAnalytics() {
      await running.service.stop();
      running = await startAnalytics();
    },
  };
}

async function served(services: readonly RpcService[]): Promise<string> {
  const onBug = (error: unknown) => {
    // The caller of a killed process sends its command again.
    if (error instanceof Error && error.message.startsWith('killed ')) return;
    throw error;
  };
  const server = await startRpcServer({ services, address: '127.0.0.1:0', token, onBug });
  onTestFinished(() => server.stop());
  return server.address;
}

const deadlineMs = 60_000;

function ledgerOf(address: string) {
  const client = rpcClient(LedgerServiceService, { address, token, deadlineMs });
  onTestFinished(() => client.close());
  return client;
}

function analyticsOf(address: string) {
  const client = rpcClient(AnalyticsServiceService, { address, token, deadlineMs });
  onTestFinished(() => client.close());
  return client;
}

function exportsOf(address: string) {
  const client = rpcClient(ExportServiceService, { address, token, deadlineMs });
  onTestFinished(() => client.close());
  return client;
}

/** A process that is killed has committed a batch or not, and acknowledges nothing. */
function failing(database: Database, fails: () => 'before' | 'after' | undefined): Database {
  const killed = (one: Pick<Database, 'transaction'>): Pick<Database, 'transaction'> => ({
    async transaction(work) {
      const when = fails();
      const result = await one.transaction(async (transaction) => {
        const done = await work(transaction);
        if (when === 'before') throw new Error('killed before the commit');
        return done;
      });
      if (when === 'after') throw new Error('killed after the commit');
      return result;
    },
  });
  return {
    ...database,
    ...killed(database),
    async connect() {
      const connection = await database.connect();
      return { ...connection, ...killed(connection) };
    },
  };
}
