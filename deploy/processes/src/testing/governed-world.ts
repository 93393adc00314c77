import { openKeyManagement } from '@sluice/boot/envelope-keys';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, connectBus, subjects } from '@sluice/bus';
import { ensureNatsServer, startNats } from '@sluice/embedded';
import { inMemoryEventStore } from '@sluice/es';
import { guardrailReadModels } from '@sluice/guardrail/read-models';
import { createService as createGuardrail } from '@sluice/guardrail/service';
import type { Principal } from '@sluice/inference-port';
import { type ProviderReceipt, reconcileReceipts } from '@sluice/ledger/reconciliation';
import { ledgerSchema } from '@sluice/ledger/schema';
import { createService as createLedger } from '@sluice/ledger/service';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { rpcClient, type RpcClient, type RpcService, startRpcServer } from '@sluice/rpc';
import { systemClock } from '@sluice/clock-and-ids';
import { createLogger } from '@sluice/logging';
import { type Receipt, startSimulator } from '@sluice/simulator';
import { createTelemetry } from '@sluice/telemetry';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { workspaceReadModels } from '@sluice/workspace/read-models';
import {
  createService as createWorkspace,
  loadTargets,
  openFiles,
} from '@sluice/workspace/service';
import { type KeptCredentials, keptCredentials } from './credentials.ts';
import { guardrailDirectory, noPrivateEndpoints, workspaceDirectory } from './everybody.ts';
import { type Replica, startReplica } from './routing-replica.ts';

export const token = 'token-for-specs';

/** A ledger, workspaces, guardrails, and as many routing processes as are started. */
export interface GovernedWorld {
  readonly bus: Bus;
  /** The database of the ledger. */
  readonly database: TestDatabase;
  readonly workspaces: RpcClient<WorkspaceServiceService>;
  readonly guardrails: RpcClient<GuardrailServiceService>;
  readonly credentials: KeptCredentials;
  /** An organization with credits and a workspace; the answer is a key in it without a limit. */
  addAccount(accountId: string): Promise<Principal>;
  /** A routing process on a directory of its own; the same name again: the same directory. */
  startReplica(name: string): Promise<Replica>;
  /** Returns the value of an SQL expression over the ledger's tables. */
  number(text: string): Promise<bigint>;
  /** Replaces the estimates of a crash by the provider's usage. */
  reconcile(): Promise<void>;
  stop(): Promise<void>;
}

const logger = createLogger({ service: 'spec', level: 'silent' });

/** Real parts but for the event store, which is in memory. */
export async function governedWorld(options: {
  readonly postgresUrl: string;
  readonly creditsNanoUsd: bigint;
  /** Returns further environment of routing processes, given a folder and the simulator's address. */
  readonly environment?: (
    folder: string,
    simulatorUrl: string,
  ) => Promise<Readonly<Record<string, string>>>;
}): Promise<GovernedWorld> {
  const stops: (() => unknown)[] = [];
  const workspaceOf = new Map<string, string>();
  const folder = await mkdtemp(join(tmpdir(), 'governed-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const binary = await ensureNatsServer(process.env, () => undefined);
  const nats = await startNats({ directory: join(folder, 'nats'), binary, onLog: () => undefined });
  stops.push(() => nats.stop());
  const bus = await connectBus({ url: nats.url, token: nats.token, name: 'spec', logger });
  stops.push(() => bus.stop());
  const receiptsFile = join(folder, 'receipts.jsonl');
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  stops.push(() => simulator.stop());
  const credentials = keptCredentials(bus);
  const { database, address } = await startServices(bus, options.postgresUrl, {
    stops,
    workspaceOf,
    credentials,
  });
  const environment = {
    ...bareEnvironment,
    SLUICE_RPC_TOKEN: token,
    SLUICE_RPC_ADDRESS: '127.0.0.1:0',
    SLUICE_ADMIN_PORT: '0',
    SLUICE_ACCOUNT_ADDRESS: address,
    SLUICE_LEDGER_ADDRESS: address,
    SLUICE_WORKSPACE_ADDRESS: address,
    SLUICE_GUARDRAIL_ADDRESS: address,
    SLUICE_KEY_ADDRESS: address,
    SLUICE_NATS_URL: nats.url,
    SLUICE_NATS_TOKEN: nats.token,
    SLUICE_SIMULATOR_URL: simulator.url,
  };
  const workspaces = rpcClient(WorkspaceServiceService, { address, token, deadlineMs: 5_000 });
  stops.push(() => workspaces.close());
  const guardrails = rpcClient(GuardrailServiceService, { address, token, deadlineMs: 5_000 });
  stops.push(() => guardrails.close());
  return {
    bus,
    database,
    workspaces,
    guardrails,
    credentials,
    async addAccount(accountId) {
      const workspaceId = randomUUID();
      workspaceOf.set(accountId, workspaceId);
      await workspaces.createWorkspace({
        context: commandContext(accountId),
        workspaceId,
        name: 'Default',
        slug: 'default',
        isDefault: true,
        settings: undefined,
      });
      await grant(bus, accountId, options.creditsNanoUsd);
      return {
        accountId,
        workspaceId,
        keyHash: keyHashOf(accountId, 1),
        limitNanoUsd: null,
        limitReset: null,
        includeByokInLimit: false,
      };
    },
    async startReplica(name) {
      const own = await options.environment?.(folder, simulator.url);
      const env = { ...environment, ...own, SLUICE_DATA_DIR: join(folder, name) };
      const replica = await startReplica(env);
      stops.push(() => replica.kill());
      return replica;
    },
    async number(text) {
      const [row] = await database.query<{ value: bigint }>({
        text: `SELECT (${text})::bigint AS value`,
        values: [],
      });
      return row?.value ?? 0n;
    },
    async reconcile() {
      await reconcileReceipts({
        postgresUrl: options.postgresUrl,
        schema: database.schema,
        receipts: receiptsOf(receiptsFile),
        apply: { isComplete: true },
      });
    },
    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}

async function* receiptsOf(file: string): AsyncGenerator<ProviderReceipt> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  for (const line of lines.filter((text) => text !== '')) {
    const receipt = JSON.parse(line) as Receipt;
    yield {
      id: receipt.id,
      attemptId: receipt.client_request_id,
      inputTokens: BigInt(receipt.input_tokens),
      cachedTokens: BigInt(receipt.cached_tokens),
      outputTokens: BigInt(receipt.output_tokens),
      reasoningTokens: BigInt(receipt.reasoning_tokens),
    };
  }
}

/** Returns the context of a command of a management key. */
export const commandContext = (accountId: string) => ({
  commandId: randomUUID(),
  requestId: 'req-spec',
  accountId,
  actorType: 'management_key',
  actorId: 'f'.repeat(64),
  traceparent: '',
});

/** Returns a key hash that is unique to the account. */
export const keyHashOf = (accountId: string, number: number) =>
  createHash('sha256').update(`${accountId}/${number}`).digest('hex');

async function grant(bus: Bus, accountId: string, amountNanoUsd: bigint): Promise<void> {
  const creditId = `grant-${accountId}`;
  const credit = { creditId, accountId, entryKind: 'grant', amountNanoUsd };
  const message = CreditRecorded.toJSON({ ...credit, occurredAt: '2026-11-18T12:00:00.000Z' });
  await bus.publishFact(subjects.creditRecorded(accountId), credit.creditId, message as object);
}

interface StartOptions {
  readonly stops: (() => unknown)[];
  readonly workspaceOf: ReadonlyMap<string, string>;
  readonly credentials: KeptCredentials;
}

async function startServices(
  bus: Bus,
  url: string,
  { stops, workspaceOf, credentials }: StartOptions,
) {
  const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
  const schema = async (migrations: string) => {
    const made = await testDatabase({ url, migrations });
    stops.push(() => made.drop());
    return made;
  };
  const database = await schema(ledgerSchema.migrations);
  const filesDirectory = await mkdtemp(join(tmpdir(), 'sluice-files-'));
  stops.push(() => rm(filesDirectory, { recursive: true, force: true }));
  const eventStore = inMemoryEventStore(systemClock);
  const common = { bus, logger, telemetry, clock: systemClock, eventStore };
  const ledger = createLedger({ ...common, database });
  const workspace = createWorkspace({
    ...common,
    database: await schema(workspaceReadModels.migrations),
    directory: workspaceDirectory,
    files: await openFiles({}, filesDirectory),
    keyManagement: await openKeyManagement({ SLUICE_DATA_DIR: filesDirectory }),
    targets: loadTargets({}),
  });
  const guardrail = createGuardrail({
    ...common,
    database: await schema(guardrailReadModels.migrations),
    directory: guardrailDirectory(workspaceOf),
    catalog: {
      find: async ({ models, providers }) => ({
        canonical: new Map(models.map((name) => [name, name])),
        providers: new Set(providers),
      }),
    },
  });
  const rpc: RpcService[] = [credentials.rpc, noPrivateEndpoints];
  for (const service of [ledger, workspace, guardrail]) {
    await service.start();
    stops.push(() => service.stop());
    rpc.push(...service.rpc);
  }
  const onBug = (error: unknown) => {
    throw error;
  };
  const server = await startRpcServer({ services: rpc, address: '127.0.0.1:0', token, onBug });
  stops.push(() => server.stop());
  return { database, address: server.address };
}
