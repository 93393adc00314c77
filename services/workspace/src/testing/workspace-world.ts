import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceWorld } from '@sluice/boot/testing';
import { Fault } from '@sluice/errors';
import { parseAllowList } from '@sluice/egress';
import { localKeyManagement } from '@sluice/envelope';
import type { EventStore } from '@sluice/es';
import { type FileStore, openLocalFileStore } from '@sluice/file-store';
import { DestinationServiceService } from '@sluice/protos/sluice/workspace/v1/destination';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import {
  type CreateWorkspaceRequest,
  WorkspaceServiceService,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import type { FileLimits } from '../domain/workspace-files/commands.ts';
import type { ClosedToKeys } from '../commands/directory.ts';
import { workspaceReadModels } from '../read-models.ts';
import { createService, type Directory } from '../service.ts';

export const organizationId = 'org_1';
export const personalId = 'user_9';
/** The account service knows none of this id. */
export const goneId = 'org_gone';

export const aContext = (accountId: string = organizationId, commandId: string = randomUUID()) => ({
  commandId,
  requestId: 'req-1',
  accountId,
  actorType: 'management_key',
  actorId: 'f'.repeat(64),
  traceparent: '',
});

/** The members and the number of keys of the organization, which a test sets. */
export class Organization {
  readonly members = new Map<string, 'admin' | 'member'>([
    ['ann', 'admin'],
    ['bob', 'member'],
    ['cem', 'member'],
  ]);
  readonly keys: { readonly workspaceId: string; readonly creator: string }[] = [];

  /** The workspace of each key by its hash. */
  readonly workspaceOfKey = new Map<string, string>();

  /** The account is in the beta of the plugin `alignment`. */
  usesAlignment = false;

  /** The closings by token that have begun and not ended. */
  readonly closings = new Map<string, ClosedToKeys>();

  readonly directory: Directory = {
    async isOrganization(accountId) {
      if (accountId === goneId) throw new Fault('not_found');
      return accountId !== personalId;
    },
    usesAlignment: async () => this.usesAlignment,
    workspacesOfKeys: async (_accountId, hashes) =>
      new Map([...this.workspaceOfKey].filter(([hash]) => hashes.includes(hash))),
    activeMembers: async (accountId, userIds) =>
      this.#of(accountId).filter(({ userId }) => userIds.includes(userId)),
    listMembers: async (accountId, { offset, limit }) => {
      const members = this.#of(accountId);
      return { members: members.slice(offset, offset + limit), totalCount: members.length };
    },
    beginClosing: async (_accountId, closed) => {
      const token = randomUUID();
      const keyCount = this.keys.filter(
        (key) =>
          key.workspaceId === closed.workspaceId &&
          (closed.creatorUserIds.length === 0 || closed.creatorUserIds.includes(key.creator)),
      ).length;
      if (keyCount === 0) this.closings.set(token, closed);
      return { keyCount, token };
    },
    endClosing: async (_accountId, token) => void this.closings.delete(token),
  };

  #of(accountId: string) {
    if (accountId === personalId) return [{ userId: personalId, role: 'admin' as const }];
    return [...this.members].map(([userId, role]) => ({ userId, role }));
  }
}

/** The service with PostgreSQL, over gRPC; its bus and its event store outlive a restart. */
export async function workspaceWorld(options: {
  readonly postgresUrl: string;
  readonly eventStore?: EventStore;
  readonly limits?: FileLimits;
  /** Stands between the service and the store of files. */
  readonly wrapStore?: (store: FileStore) => FileStore;
}) {
  const organization = new Organization();
  const directory = mkdtempSync(join(tmpdir(), 'sluice-workspace-'));
  const store = await openLocalFileStore({ directory });
  const keyManagement = await localKeyManagement(join(directory, 'envelope-keys'));
  const { limits = { filesMax: 1_000, bytesMax: 1_000_000_000 }, wrapStore } = options;
  const world = await serviceWorld({
    ...options,
    name: 'workspace',
    migrations: workspaceReadModels.migrations,
    create: createService,
    others: {
      directory: organization.directory,
      files: { store: wrapStore?.(store) ?? store, limits },
      keyManagement,
      targets: { allowList: parseAllowList('127.0.0.2'), isHttpAllowed: false },
    },
    clients: {
      client: WorkspaceServiceService,
      files: FileServiceService,
      destinations: DestinationServiceService,
      use: DestinationUseServiceService,
    },
  });
  const { stop } = world;
  return Object.assign(world, {
    organization,
    /** Holds the contents of files, whatever stands before it. */
    store,
    /** Creates a workspace, by default of the organization, and returns its id. */
    async create(values: Partial<CreateWorkspaceRequest> = {}): Promise<string> {
      const request = aWorkspace(values);
      await world.client.createWorkspace(request);
      return request.workspaceId;
    },
    async stop() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}

export type WorkspaceWorld = Awaited<ReturnType<typeof workspaceWorld>>;

export function aWorkspace(values: Partial<CreateWorkspaceRequest> = {}): CreateWorkspaceRequest {
  const workspaceId = randomUUID();
  return {
    context: aContext(),
    workspaceId,
    name: 'Research',
    slug: `w-${workspaceId}`,
    isDefault: false,
    settings: undefined,
    ...values,
  };
}
