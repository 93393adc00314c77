import { ok } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceWorld } from '@sluice/boot/testing';
import { localKeyManagement } from '@sluice/envelope';
import type { EventStore } from '@sluice/es';
import { eventually } from '@sluice/patience';
import { ByokServiceService, CredentialSettings } from '@sluice/protos/sluice/key/v1/byok';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { type IssueKeyRequest, KeyKind, KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { Secret } from '@sluice/boot';
import { keyReadModels } from '../read-models.ts';
import { createService, type Directory, type Peppers } from '../service.ts';

export const defaultWorkspaceId = '0190a000-0000-7000-8000-000000000010';
export const otherWorkspaceId = '0190a000-0000-7000-8000-000000000011';

/** The service with PostgreSQL, over gRPC; its bus and its event store outlive a restart. */
export async function keyWorld(options: {
  readonly postgresUrl: string;
  readonly eventStore?: EventStore;
}) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-key-'));
  const keyManagement = await localKeyManagement(join(folder, 'envelope-keys'));
  const directory: Directory = {
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
  };
  const peppers: Peppers = {
    currentVersion: 1,
    byVersion: new Map([[1, new Secret('a pepper of at least 32 characters')]]),
  };
  const world = await serviceWorld({
    ...options,
    name: 'key',
    migrations: keyReadModels.migrations,
    create: createService,
    others: {
      directory,
      peppers,
      keyManagement,
      randomBytes,
    },
    clients: { client: KeyServiceService, byok: ByokServiceService, use: ByokUseServiceService },
  });
  const { stop } = world;
  return Object.assign(world, {
    keyManagement,
    directory,
    async stop() {
      await stop();
      await rm(folder, { recursive: true });
    },
    async addCredential({
      workspaceId = '',
      provider = 'openai',
      secret = aCredential.plain,
      allowed,
    }: WantedCredential = {}) {
      const allowedApiKeyHashes = allowed && { values: [...allowed] };
      const { credential } = await world.byok.addCredential({
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
      await world.client.updateKey({ context, hash, ...unchanged, ...limits, disabled: false });
    },
    /** Waits, with a bound. */
    until: (check: () => void | Promise<void>) => eventually(check),
    async issue(overrides: Partial<IssueKeyRequest> = {}) {
      const { key, secret } = await world.client.issueKey({
        context: aContext(),
        ...aKey,
        ...overrides,
      });
      ok(key, 'no key in the answer');
      return { key, secret };
    },
  });
}

export type KeyWorld = Awaited<ReturnType<typeof keyWorld>>;

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
