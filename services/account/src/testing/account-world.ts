import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { serviceWorld } from '@sluice/boot/testing';
import type { BusMessage } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { AccountKind, AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import { EndUserServiceService } from '@sluice/protos/sluice/account/v1/end_user';
import { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import {
  type CreatePrivateEndpointRequest,
  PrivateEndpointServiceService,
  PrivateEndpointUseServiceService,
} from '@sluice/protos/sluice/account/v1/private_endpoint';
import { ScimServiceService } from '@sluice/protos/sluice/account/v1/scim';
import { systemIds } from '@sluice/clock-and-ids';
import { accountReadModels } from '../read-models.ts';
import { createService } from '../service.ts';
import { inMemoryDirectory } from './in-memory-directory.ts';
import { inMemoryEndpointChecks } from './in-memory-endpoint-checks.ts';
import { inMemoryWorkspaces } from './in-memory-workspaces.ts';

export const organizationId = 'org_1';
export const personalId = 'user_9';
export const ownerUserId = 'user_1';
/** A workspace that the organization has. */
export const activateWorkspaceId = '0190a000-0000-7000-8000-000000000010';

export const aContext = (accountId: string = organizationId, commandId: string = randomUUID()) => ({
  commandId,
  requestId: 'req-1',
  accountId,
  actorType: 'management_key',
  actorId: 'f'.repeat(64),
  traceparent: '',
});

/** The service with PostgreSQL, over gRPC; its bus and its event store outlive a restart. */
export async function accountWorld(options: {
  readonly postgresUrl: string;
  readonly eventStore?: EventStore;
}) {
  const workspaces = inMemoryWorkspaces();
  const directory = inMemoryDirectory();
  const endpointChecks = inMemoryEndpointChecks();
  const world = await serviceWorld({
    ...options,
    name: 'account',
    migrations: accountReadModels.migrations,
    create: createService,
    others: { workspaces, directory, ids: systemIds, endpointChecks: endpointChecks.calls },
    clients: {
      accounts: AccountServiceService,
      idempotency: IdempotencyServiceService,
      audit: AuditServiceService,
      endUsers: EndUserServiceService,
      scim: ScimServiceService,
      privateEndpoints: PrivateEndpointServiceService,
      endpointUse: PrivateEndpointUseServiceService,
    },
  });
  return Object.assign(world, {
    workspaces,
    directory,
    endpointChecks,
    /** An organization and a personal account. */
    async open() {
      for (const accountId of [organizationId, personalId]) {
        const isOrganization = accountId === organizationId;
        await world.accounts.openAccount({
          context: aContext(accountId),
          kind: isOrganization
            ? AccountKind.ACCOUNT_KIND_ORGANIZATION
            : AccountKind.ACCOUNT_KIND_PERSONAL,
          name: 'Example',
          ownerUserId: isOrganization ? ownerUserId : personalId,
          ownerEmail: 'owner@example.com',
          defaultWorkspaceId: randomUUID(),
        });
      }
    },
    async join(userId: string, email = `${userId}@example.com`, role = 'member') {
      const { member } = await world.accounts.joinMember({
        context: aContext(),
        userId,
        email,
        role,
      });
      ok(member, 'no member in the answer');
      return member;
    },
    /** Makes a draft, or with a workspace an active endpoint. */
    createEndpoint: (more: Partial<CreatePrivateEndpointRequest> = {}) =>
      world.privateEndpoints.createPrivateEndpoint({
        context: aContext(),
        modelPermaslug: 'acme/large',
        provider: 'acme',
        upstreamModelId: 'ours',
        baseUrl: 'https://llm.example.com/v1',
        declaredZdr: undefined,
        declaredRegion: undefined,
        pricing: undefined,
        activateWorkspaceId: undefined,
        idempotencyKey: '',
        ...more,
      }),
    /** Collects what lies under a filter of a stream; ends with the bus. */
    consume(stream: string, filter: string): BusMessage[] {
      const facts: BusMessage[] = [];
      const { signal } = new AbortController();
      const handle = async (messages: readonly BusMessage[]) => void facts.push(...messages);
      void world.bus.consume({ stream, durable: 'spec', filter, batchMax: 10, signal, handle });
      return facts;
    },
  });
}

export type AccountWorld = Awaited<ReturnType<typeof accountWorld>>;
