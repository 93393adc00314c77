import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type BusMessage, inMemoryBus } from '@sluice/bus';
import { type EventStore, inMemoryEventStore } from '@sluice/es';
import { AccountKind, AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import { EndUserServiceService } from '@sluice/protos/sluice/account/v1/end_user';
import { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import { ScimServiceService } from '@sluice/protos/sluice/account/v1/scim';
import { testDatabase } from '@sluice/read-model/testing';
import { rpcClient, startRpcServer } from '@sluice/rpc';
import { systemClock, systemIds } from '@sluice/clock-and-ids';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import { type AccountDependencies, createService } from '../service.ts';
import { inMemoryDirectory } from './in-memory-directory.ts';
import { inMemoryWorkspaces } from './in-memory-workspaces.ts';

const token = 'a-token';

export const organizationId = 'org_1';
export const personalId = 'user_9';
export const ownerUserId = 'user_1';

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
  const database = await testDatabase({ url: options.postgresUrl });
  const bus = inMemoryBus();
  const workspaces = inMemoryWorkspaces();
  const directory = inMemoryDirectory();
  const dependencies: AccountDependencies = {
    eventStore: options.eventStore ?? inMemoryEventStore(systemClock),
    database,
    bus,
    workspaces,
    directory,
    ids: systemIds,
    clock: systemClock,
    logger: createLogger({ service: 'account', level: 'silent' }),
    telemetry: createTelemetry({ serviceName: 'account', otlpEndpoint: undefined }),
  };
  let running = await serve(dependencies);
  return {
    database,
    bus,
    workspaces,
    directory,
    eventStore: dependencies.eventStore,
    get accounts() {
      return running.accounts;
    },
    get endUsers() {
      return running.endUsers;
    },
    get scim() {
      return running.scim;
    },
    get audit() {
      return running.audit;
    },
    get idempotency() {
      return running.idempotency;
    },
    /** Another process on the same data. */
    async restart(changed: Partial<AccountDependencies> = {}) {
      await running.stop();
      running = await serve({ ...dependencies, ...changed });
    },
    async stop() {
      await running.stop();
      await bus.stop();
      await database.drop();
    },
    /** An organization and a personal account. */
    async open() {
      for (const accountId of [organizationId, personalId]) {
        const isOrganization = accountId === organizationId;
        await running.accounts.openAccount({
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
      const { member } = await running.accounts.joinMember({
        context: aContext(),
        userId,
        email,
        role,
      });
      ok(member, 'no member in the answer');
      return member;
    },
    /** Collects what lies under a filter of a stream; ends with the bus. */
    consume(stream: string, filter: string): BusMessage[] {
      const facts: BusMessage[] = [];
      const { signal } = new AbortController();
      const handle = async (messages: readonly BusMessage[]) => void facts.push(...messages);
      void bus.consume({ stream, durable: 'spec', filter, batchMax: 10, signal, handle });
      return facts;
    },
  };
}

export type AccountWorld = Awaited<ReturnType<typeof accountWorld>>;

async function serve(dependencies: AccountDependencies) {
  const service = createService(dependencies);
  await service.start();
  const onBug = (error: unknown) => {
    throw error;
  };
  const options = { services: service.rpc, address: '127.0.0.1:0', token, onBug };
  const server = await startRpcServer(options);
  const reach = { address: server.address, token, deadlineMs: 5_000 };
  const accounts = rpcClient(AccountServiceService, reach);
  const idempotency = rpcClient(IdempotencyServiceService, reach);
  const audit = rpcClient(AuditServiceService, reach);
  const endUsers = rpcClient(EndUserServiceService, reach);
  const scim = rpcClient(ScimServiceService, reach);
  return {
    scim,
    endUsers,
    accounts,
    idempotency,
    audit,
    async stop() {
      accounts.close();
      idempotency.close();
      audit.close();
      endUsers.close();
      scim.close();
      await server.stop();
      await service.stop();
    },
  };
}
