import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { inMemoryEventStore } from '@sluice/es';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { type RpcClient, rpcClient, type RpcServer, startRpcServer } from '@sluice/rpc';
import { createLogger, systemClock } from '@sluice/service';
import { createTelemetry } from '@sluice/telemetry';
import { createService, type WorkspaceService } from './service.ts';

const token = 'a-token';
let database: TestDatabase;
let service: WorkspaceService;
let server: RpcServer;
let client: RpcClient<typeof WorkspaceServiceService>;

beforeAll(async () => {
  database = await testDatabase({ url: inject('postgresUrl') });
  service = createService({
    eventStore: inMemoryEventStore({ now: () => systemClock.now() }),
    database,
    clock: systemClock,
    logger: createLogger({ service: 'workspace', level: 'silent' }),
    telemetry: createTelemetry({ serviceName: 'workspace', otlpEndpoint: undefined }),
  });
  deepEqual(service.unreadiness(), ['workspace has not started']);
  await service.start();
  const onBug = (error: unknown) => {
    throw error;
  };
  server = await startRpcServer({ services: service.rpc, address: '127.0.0.1:0', token, onBug });
  client = rpcClient(WorkspaceServiceService, {
    address: server.address,
    token,
    deadlineMs: 5_000,
  });
});
afterAll(async () => {
  client.close();
  await server.stop();
  await service.stop();
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
const values = { name: 'Default', slug: 'default', isDefault: true };

describe('a workspace', () => {
  test('that was created can be read at once, by its own account only', async () => {
    const workspaceId = randomUUID();
    const created = await client.createWorkspace({ context: context(), workspaceId, ...values });
    const found = await client.getWorkspace({ accountId: 'org_1', workspaceId });
    deepEqual(found, created);
    equal(found.workspace?.slug, 'default');
    deepEqual(service.unreadiness(), []);
    await rejects(client.getWorkspace({ accountId: 'org_2', workspaceId }), { code: 'not_found' });
  });

  test('created again is answered the same', async () => {
    const workspaceId = randomUUID();
    const request = { context: context(), workspaceId, ...values };
    const created = await client.createWorkspace(request);
    deepEqual(await client.createWorkspace(request), created);
    deepEqual(await client.createWorkspace({ ...request, context: context() }), created);
  });

  test('with malformed values is refused with the issues', async () => {
    const request = { context: context(), workspaceId: 'x', name: '', slug: 'A', isDefault: false };
    await rejects(client.createWorkspace(request), (error: Error & { metadata?: object }) => {
      deepEqual(
        (error.metadata as { issues: { path: string }[] }).issues.map(({ path }) => path),
        ['workspace_id', 'name', 'slug'],
      );
      return true;
    });
  });

  test('that nobody created, or whose id is none, is not found', async () => {
    for (const workspaceId of [randomUUID(), 'default', ''])
      await rejects(client.getWorkspace({ accountId: 'org_1', workspaceId }), {
        code: 'not_found',
      });
  });
});
