import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  ensureNatsServer,
  freePort,
  startNats,
  startWatchedProcess,
  type WatchedProcess,
} from '@sluice/embedded';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { type Database, openDatabase } from '@sluice/read-model';
import { rpcClient, type RpcClient } from '@sluice/rpc';

/** The workspace service as a process of its own, on a database and an event store of its own. */
export interface Workspaces {
  readonly directory: string;
  /** The environment of the service and of the command line. */
  readonly env: { readonly SLUICE_POSTGRES_URL: string; readonly SLUICE_EVENTSTORE_URL: string };
  readonly database: Database;
  readonly eventStore: ConnectedEventStore;
  readonly client: RpcClient<typeof WorkspaceServiceService>;
  readonly nats: { readonly url: string; readonly token: string };
  /** Returns its id. */
  create(): Promise<string>;
  /** Ends the process of the service and starts another one, with more settings; `client` is of that one then. */
  restartService(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Returns the sum of a metric of a projection or reaction. */
  metric(name: string, projection: string): Promise<number>;
  /** Returns the answer of `/readyz`. */
  readiness(): Promise<{ readonly code: number; readonly reasons: readonly string[] }>;
  /** Stops the node, lets the directory of its log be changed, and starts it at the same address. */
  restartEventStore(change: (log: string) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const token = 'a-token-of-the-spec';
const program = join(import.meta.dirname, '../../../../services/workspace/src/main.ts');

export async function startWorkspaces(postgresUrl: string): Promise<Workspaces> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
  const postgres = await ownDatabase(postgresUrl);
  const log = join(directory, 'log');
  const secretsDirectory = join(directory, 'secrets');
  let server = await startEventStoreServer({ directory: log, secretsDirectory, port: 0 });
  const { port } = server;
  const env = {
    SLUICE_POSTGRES_URL: postgres.url,
    SLUICE_EVENTSTORE_URL: server.url,
  };
  const binary = await ensureNatsServer(process.env, () => undefined);
  const nats = await startNats({
    directory: join(directory, 'nats'),
    binary,
    onLog: () => undefined,
  });
  const adminPort = await freePort();
  const serviceEnv = {
    ...env,
    SLUICE_NATS_URL: nats.url,
    SLUICE_NATS_TOKEN: nats.token,
    SLUICE_ADMIN_PORT: String(adminPort),
  };
  let service = await startService(serviceEnv);
  let client = clientOf(service);
  const eventStore = await connectEventStore({ url: env.SLUICE_EVENTSTORE_URL });
  const database = openDatabase({ url: postgres.url, schema: 'workspace', connectionsMax: 2 });
  return {
    directory,
    env,
    database,
    eventStore,
    get client() {
      return client;
    },
    async restartService(settings) {
      client.close();
      await service.process.stop();
      service = await startService({ ...serviceEnv, ...settings });
      client = clientOf(service);
    },
    async metric(name, projection) {
      const answer = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
      const lines = (await answer.text()).split('\n');
      const wanted = lines.filter(
        (line) => line.startsWith(`${name}{`) && line.includes(`projection="${projection}"`),
      );
      return wanted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    async readiness() {
      const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
      const { reasons = [] } = (await answer.json()) as { reasons?: readonly string[] };
      return { code: answer.status, reasons };
    },
    async create() {
      const workspaceId = randomUUID();
      const values = { workspaceId, name: 'Example', slug: `w-${workspaceId}`, isDefault: true };
      const rest = { settings: undefined };
      await client.createWorkspace({ context: contextOf(), ...values, ...rest });
      return workspaceId;
    },
    nats: { url: nats.url, token: nats.token },
    async restartEventStore(change) {
      await server.stop();
      await change(log);
      server = await startEventStoreServer({ directory: log, secretsDirectory, port });
    },
    async stop() {
      client.close();
      await eventStore.stop();
      await database.stop();
      await service.process.stop();
      await nats.stop();
      await server.stop();
      await postgres.drop();
      await rm(directory, { recursive: true });
    },
  };
}

/** Puts the files of one log in the place of another, as a restored backup. */
export async function copyLog(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
}

/** The schema's name is the service's, so the database has to be of the test. */
/** A new database on a server; the caller drops it. */
export async function ownDatabase(postgresUrl: string) {
  const name = `cli_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase({ url: postgresUrl, schema: 'public', connectionsMax: 1 });
  await admin.query({ text: `CREATE DATABASE "${name}"`, values: [] });
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await admin.query({ text: `DROP DATABASE "${name}" WITH (FORCE)`, values: [] });
      await admin.stop();
    },
  };
}

function clientOf({ address }: { readonly address: string }) {
  return rpcClient(WorkspaceServiceService, { address, token, deadlineMs: 120_000 });
}

async function startService(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly process: WatchedProcess; readonly address: string }> {
  const service = await startWatchedProcess({
    name: 'workspace',
    command: process.execPath,
    args: [program],
    stdio: ['ignore', 'pipe', 'inherit'],
    stopSignal: 'SIGTERM',
    env: {
      ...env,
      SLUICE_RPC_TOKEN: token,
      // No call goes there.
      SLUICE_ACCOUNT_ADDRESS: '127.0.0.1:1',
      SLUICE_KEY_ADDRESS: '127.0.0.1:1',
    },
  });
  const { stdout } = service.child;
  if (!stdout) throw new Error('the service has no output');
  const address = await addressIn(stdout);
  // The later output is dropped, so that it does not fill the pipe.
  stdout.resume();
  return { process: service, address };
}

async function addressIn(stdout: Readable): Promise<string> {
  // Lines come several at once; the input ends when the process does.
  for await (const line of createInterface({ input: stdout })) {
    const { address } = JSON.parse(line) as { address?: string };
    // The bus has an address as well, and says so first.
    if (line.includes('workspace serves') && address !== undefined) return address;
  }
  throw new Error('the service ended before it served');
}

/** The context of a command by the spec. */
export function contextOf() {
  return {
    commandId: randomUUID(),
    requestId: 'req-1',
    accountId: 'org_1',
    actorType: 'system',
    actorId: 'spec',
    traceparent: '',
  };
}
