import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inMemoryBus } from '@sluice/bus';
import { type EventToAppend, inMemoryEventStore } from '@sluice/es';
import {
  type GuardrailValues,
  GuardrailServiceService,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { testDatabase } from '@sluice/read-model/testing';
import { rpcClient, startRpcServer } from '@sluice/rpc';
import { systemClock } from '@sluice/clock-and-ids';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import type { Policy } from '../domain/guardrail/events.ts';
import { emptyPolicy } from '../domain/guardrail/state.ts';
import { createService, type GuardrailDependencies } from '../service.ts';
import { defaultWorkspaceId, inMemoryDirectory } from './in-memory-directory.ts';

const token = 'a-token';

/** The service with PostgreSQL, over gRPC; its bus and its event store outlive a restart. */
export async function guardrailWorld({ postgresUrl }: { readonly postgresUrl: string }) {
  const database = await testDatabase({ url: postgresUrl });
  const bus = inMemoryBus();
  const directory = inMemoryDirectory();
  const models = new Map([
    ['openai/gpt-5-mini', 'openai/gpt-5-mini-2025-08-07'],
    ['sim/echo', 'sim/echo'],
  ]);
  const dependencies: GuardrailDependencies = {
    eventStore: inMemoryEventStore(systemClock),
    database,
    bus,
    directory,
    catalog: {
      models: async () => ({
        canonical: (slug) =>
          models.get(slug) ?? [...models.values()].find((canonical) => canonical === slug),
        hasProvider: (slug) => slug === 'my-own',
      }),
    },
    clock: systemClock,
    logger: createLogger({ service: 'guardrail', level: 'silent' }),
    telemetry: createTelemetry({ serviceName: 'guardrail', otlpEndpoint: undefined }),
  };
  let running = await serve(dependencies);
  return {
    database,
    bus,
    directory,
    eventStore: dependencies.eventStore,
    get client() {
      return running.client;
    },
    get service() {
      return running.service;
    },
    /** Another process on the same data. */
    async restart(changed: Partial<GuardrailDependencies> = {}) {
      await running.stop();
      running = await serve({ ...dependencies, ...changed });
    },
    async stop() {
      await running.stop();
      await bus.stop();
      await database.drop();
    },
    /** A guardrail as an earlier release wrote it: with a policy that is refused today. */
    async createEarlier(policy: Partial<Policy>, workspaceId = defaultWorkspaceId) {
      const guardrailId = randomUUID();
      const created = anEarlierGuardrail(guardrailId, workspaceId, policy);
      await dependencies.eventStore.append(`guardrail-${guardrailId}`, [created], 'no_stream');
      return guardrailId;
    },
    async create(values: Partial<GuardrailValues> = {}, place: Partial<Place> = {}) {
      const { guardrail } = await running.client.createGuardrail({
        context: aContext(),
        workspaceId: '',
        isUnscoped: false,
        ...place,
        values: { ...aGuardrail, ...values },
      });
      ok(guardrail, 'no guardrail in the answer');
      return guardrail;
    },
  };
}

export type GuardrailWorld = Awaited<ReturnType<typeof guardrailWorld>>;

interface Place {
  readonly context: ReturnType<typeof aContext>;
  readonly workspaceId: string;
  readonly isUnscoped: boolean;
}

async function serve(dependencies: GuardrailDependencies) {
  const service = createService(dependencies);
  await service.start();
  const onBug = (error: unknown) => {
    throw error;
  };
  const address = '127.0.0.1:0';
  const server = await startRpcServer({ services: service.rpc, address, token, onBug });
  const client = rpcClient(GuardrailServiceService, {
    address: server.address,
    token,
    deadlineMs: 10_000,
  });
  return {
    service,
    client,
    async stop() {
      client.close();
      await server.stop();
      await service.stop();
    },
  };
}

function anEarlierGuardrail(
  guardrailId: string,
  workspaceId: string,
  policy: Partial<Policy>,
): EventToAppend {
  const createdAt = systemClock.now().toISOString();
  const commandId = randomUUID();
  const place = { guardrailId, accountId: 'org_1', workspaceId };
  return {
    id: randomUUID(),
    type: 'GuardrailCreated',
    data: {
      ...place,
      name: 'Earlier',
      description: null,
      policy: { ...emptyPolicy, ...policy },
      createdAt,
    },
    metadata: {
      schemaVersion: 1,
      occurredAt: createdAt,
      commandId,
      actor: { type: 'system', id: 'spec' },
      requestId: 'req-1',
      $correlationId: 'req-1',
      $causationId: commandId,
    },
  };
}

/** The context of a command that a management key of org_1 gives. */
export const aContext = (accountId = 'org_1', commandId: string = randomUUID()) => ({
  commandId,
  requestId: 'req-1',
  accountId,
  actorType: 'management_key',
  actorId: 'ab'.repeat(32),
  traceparent: '',
  clientIp: '',
  userAgent: '',
});

export const aGuardrail: GuardrailValues = {
  name: 'Research',
  includeByok: false,
  rules: undefined,
};
