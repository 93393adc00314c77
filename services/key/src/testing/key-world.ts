import { ok } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryBus } from '@sluice/bus';
import { localKeyManagement } from '@sluice/envelope';
import { inMemoryEventStore } from '@sluice/es';
import { eventually } from '@sluice/patience';
import { ByokServiceService, CredentialSettings } from '@sluice/protos/sluice/key/v1/byok';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { type IssueKeyRequest, KeyKind, KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { testDatabase } from '@sluice/read-model/testing';
import { rpcClient, startRpcServer } from '@sluice/rpc';
import { Secret } from '@sluice/boot';
import { systemClock } from '@sluice/clock-and-ids';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import { createService, type KeyDependencies } from '../service.ts';

export const defaultWorkspaceId = '0190a000-0000-7000-8000-000000000010';
export const otherWorkspaceId = '0190a000-0000-7000-8000-000000000011';

const token = 'a-token';

export interface WorldOptions {
  readonly postgresUrl: string;
}

/** The service with PostgreSQL, over gRPC; its bus and its event store outlive a restart. */
export async function keyWorld({ postgresUrl }: WorldOptions) {
  const database = await testDatabase({ url: postgresUrl });
  const bus = inMemoryBus();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-key-'));
  const keyManagement = await localKeyManagement(join(folder, 'envelope-keys'));
  const dependencies: KeyDependencies = {
    eventStore: inMemoryEventStore(systemClock),
    database,
    bus,
    directory: {
      account: async () => ({ isPersonal: false, ownerUserId: '', defaultWorkspaceId }),
      workspaceExists: async (accountId, workspaceId) =>
        workspaceId === defaultWorkspaceId ||
        (accountId === 'org_1' && workspaceId === otherWorkspaceId),
      workspaceIsAlive: async (accountId, workspaceId) =>
        workspaceId === defaultWorkspaceId ||
        (accountId === 'org_1' && workspaceId === otherWorkspaceId),
      workspaceHasMember: async () => true,
      members: async (_accountId, userIds) => userIds.map((userId) => ({ userId, isActive: true })),
      workspaceMembers: async (_accountId, _workspaceId, userIds) => userIds,
    },
    peppers: {
      currentVersion: 1,
      byVersion: new Map([[1, new Secret('a pepper of at least 32 characters')]]),
    },
    keyManagement,
    randomBytes,
    clock: systemClock,
    logger: createLogger({ service: 'key', level: 'silent' }),
    telemetry: createTelemetry({ serviceName: 'key', otlpEndpoint: undefined }),
  };
  let running = await serve(dependencies);
  return {
    database,
    bus,
    keyManagement,
    directory: dependencies.directory,
    eventStore: dependencies.eventStore,
    get byok() {
      return running.byok;
    },
    get use() {
      return running.use;
    },
    get client() {
      return running.client;
    },
    async addCredential({
      workspaceId = '',
      provider = 'openai',
      secret = aCredential.plain,
      allowed,
    }: WantedCredential = {}) {
      const allowedApiKeyHashes = allowed && { values: [...allowed] };
      const { credential } = await running.byok.addCredential({
        context: aContext(),
        provider,
        secret,
        workspaceId,
        settings: { ...openToAll, allowedApiKeyHashes },
      });
      ok(credential, 'no credential in the answer');
      return credential.credentialId;
    },
    async enable(hash: string) {
      const unchanged = { name: undefined, includeByokInLimit: undefined };
      const context = aContext();
      const limits = { limit: undefined, limitReset: undefined };
      await running.client.updateKey({ context, hash, ...unchanged, ...limits, disabled: false });
    },
    /** Waits, with a bound. */
    until: (check: () => void | Promise<void>) => eventually(check),
    /** Another process on the same data; something else may happen between the two. */
    async restart(
      changed: Partial<KeyDependencies> = {},
      happen: () => Promise<unknown> = async () => undefined,
    ) {
      await running.stop();
      await happen();
      running = await serve({ ...dependencies, ...changed });
    },
    async stop() {
      await running.stop();
      await bus.stop();
      await database.drop();
      await rm(folder, { recursive: true });
    },
    async issue(overrides: Partial<IssueKeyRequest> = {}) {
      const { key, secret } = await running.client.issueKey({
        context: aContext(),
        ...aKey,
        ...overrides,
      });
      ok(key, 'no key in the answer');
      return { key, secret };
    },
  };
}

export type KeyWorld = Awaited<ReturnType<typeof keyWorld>>;

async function serve(dependencies: KeyDependencies) {
  const service = createService(dependencies);
  await service.start();
  const onBug = (error: unknown) => {
    throw error;
  };
  const server = await startRpcServer({
    services: service.rpc,
    address: '127.0.0.1:0',
    token,
    onBug,
  });
  const { address } = server;
  const client = rpcClient(KeyServiceService, { address, token, deadlineMs: 5_000 });
  const byok = rpcClient(ByokServiceService, { address, token, deadlineMs: 5_000 });
  const use = rpcClient(ByokUseServiceService, { address, token, deadlineMs: 5_000 });
  return {
    client,
    byok,
    use,
    async stop() {
      client.close();
      byok.close();
      use.close();
      await server.stop();
      await service.stop();
    },
  };
}

/** The context of a command that a management key of org_1 gives. */
export const aContext = (overrides: Partial<ReturnType<typeof base>> = {}) => ({
  ...base(),
  ...overrides,
});

const base = () => ({
  commandId: randomUUID() as string,
  requestId: 'req-1',
  accountId: 'org_1',
  actorType: 'management_key',
  actorId: 'ab'.repeat(32),
  traceparent: '',
});

const aKey = {
  kind: KeyKind.KEY_KIND_REGULAR,
  name: 'Production',
  workspaceId: '',
  limitNanoUsd: undefined,
  includeByokInLimit: false,
};

export interface WantedCredential {
  readonly workspaceId?: string;
  readonly provider?: string;
  readonly secret?: string;
  readonly allowed?: readonly string[];
}

export const aCredential = {
  plain: 'sk-upstream-0123456789-AbCd',
  azure: '[{"api_key":"azure-0123456789-AbCd","resource_name":"ours"}]',
};

/** The settings of a credential that everybody may use. */
export const openToAll = CredentialSettings.create();
