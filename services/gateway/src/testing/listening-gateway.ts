import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { inMemoryBus } from '@sluice/bus';
import type { InferencePort } from '@sluice/inference-port';
import { type Clock, type Ids, systemClock, systemIds } from '@sluice/clock-and-ids';
import { createTelemetry } from '@sluice/telemetry';
import type { KeyCalls } from '../clients/calls.ts';
import { createService } from '../service.ts';
import type { GatewaySettings } from '../settings.ts';
import { organizationId, recordingLogger, workspaceId } from './gateway-world.ts';
import { inMemoryAccounts } from './in-memory-accounts.ts';
import { inMemoryPolicies } from './in-memory-policies.ts';
import { inMemoryDestinations } from './in-memory-destinations.ts';
import { inMemoryByok } from './in-memory-byok.ts';
import { inMemoryEndUsers } from './in-memory-end-users.ts';
import { inMemoryPrivateEndpoints } from './in-memory-private-endpoints.ts';
import { inMemoryScim } from './in-memory-scim.ts';
import { inMemoryLedger, organizationKind } from './in-memory-books.ts';
import { inMemoryGuardrails } from './in-memory-guardrails.ts';
import { inMemoryIdempotency } from './in-memory-idempotency.ts';
import { inMemoryKeys } from './in-memory-keys.ts';
import { inMemoryWorkspaces } from './in-memory-workspaces.ts';

export interface ListeningOptions {
  readonly createResponse: InferencePort['createResponse'];
  readonly settings?: Partial<GatewaySettings>;
  readonly wrapKeys?: (calls: KeyCalls) => KeyCalls;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

const notAsked = () => Promise.reject(new Error('not asked here'));

/** The whole service on a real port, with a key to call it. */
export async function listeningGateway({
  createResponse,
  settings = {},
  wrapKeys = (calls) => calls,
  clock = systemClock,
  ids = systemIds,
}: ListeningOptions) {
  const keys = inMemoryKeys({ [organizationId]: [workspaceId] }, clock);
  const account = { accountId: organizationId, kind: organizationKind, ownerUserId: '' };
  const bus = inMemoryBus();
  const logger = recordingLogger();
  const service = createService({
    rpc: {
      standings: [],
      keys: wrapKeys(keys.calls),
      byok: inMemoryByok(systemClock, workspaceId),
      destinations: inMemoryDestinations(systemClock, workspaceId),
      observer: undefined,
      policies: inMemoryPolicies().calls,
      accounts: inMemoryAccounts([account]).calls,
      endUsers: inMemoryEndUsers(systemClock),
      privateEndpoints: inMemoryPrivateEndpoints(organizationId, new Date(0).toISOString()).calls,
      scim: inMemoryScim(systemClock).calls,
      guardrails: inMemoryGuardrails(systemClock),
      ledger: inMemoryLedger().calls,
      idempotency: inMemoryIdempotency().calls,
      workspaces: inMemoryWorkspaces().calls,
      files: inMemoryFiles(systemClock),
      analytics: undefined,
      exports: undefined,
      sandbox: undefined,
      audit: { recordRefusal: async () => ({ isRecorded: true }) },
    },
    inference: { createResponse, readCatalog: notAsked },
    bus,
    clock,
    ids,
    logger,
    telemetry: createTelemetry({ serviceName: 'gateway', otlpEndpoint: undefined }),
    settings,
  });
  await service.start();
  const port = await service.listen('127.0.0.1', 0);
  const { secret } = keys.add({ accountId: organizationId });
  return { service, port, secret, keys, bus, logger };
}
