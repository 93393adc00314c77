import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { serviceWorld } from '@sluice/boot/testing';
import type { EventStore, EventToAppend } from '@sluice/es';
import {
  type GuardrailValues,
  GuardrailServiceService,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { systemClock } from '@sluice/clock-and-ids';
import type { Policy } from '../domain/guardrail/events.ts';
import { emptyPolicy } from '../domain/guardrail/state.ts';
import { guardrailReadModels } from '../read-models.ts';
import { createService } from '../service.ts';
import { defaultWorkspaceId, inMemoryDirectory } from './in-memory-directory.ts';

/** The service with PostgreSQL, over gRPC; its bus and its event store outlive a restart. */
export async function guardrailWorld(options: {
  readonly postgresUrl: string;
  readonly eventStore?: EventStore;
}) {
  const directory = inMemoryDirectory();
  const canonical = new Map([
    ['openai/gpt-5-mini', 'openai/gpt-5-mini-2025-08-07'],
    ['openai/gpt-5-mini-2025-08-07', 'openai/gpt-5-mini-2025-08-07'],
    ['sim/echo', 'sim/echo'],
  ]);
  const world = await serviceWorld({
    ...options,
    name: 'guardrail',
    migrations: guardrailReadModels.migrations,
    create: createService,
    others: {
      directory,
      catalog: {
        find: async () => ({ canonical, providers: new Set(['my-own']) }),
      },
    },
    clients: { client: GuardrailServiceService },
  });
  return Object.assign(world, {
    directory,
    /** A guardrail as an earlier release wrote it: with a policy that is refused today. */
    async createEarlier(policy: Partial<Policy>, workspaceId = defaultWorkspaceId) {
      const guardrailId = randomUUID();
      const created = anEarlierGuardrail(guardrailId, workspaceId, policy);
      await world.eventStore.append(`guardrail-${guardrailId}`, [created], 'no_stream');
      return guardrailId;
    },
    async create(values: Partial<GuardrailValues> = {}, place: Partial<Place> = {}) {
      const { guardrail } = await world.client.createGuardrail({
        context: aContext(),
        workspaceId: '',
        isUnscoped: false,
        ...place,
        values: { ...aGuardrail, ...values },
      });
      ok(guardrail, 'no guardrail in the answer');
      return guardrail;
    },
  });
}

export type GuardrailWorld = Awaited<ReturnType<typeof guardrailWorld>>;

interface Place {
  readonly context: ReturnType<typeof aContext>;
  readonly workspaceId: string;
  readonly isUnscoped: boolean;
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
