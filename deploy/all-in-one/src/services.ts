import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  createService as createAnalytics,
  loadClickHouse,
  loadRetention,
  openClickHouse,
  questionMsMax,
} from '@sluice/analytics/service';
import {
  configuredDirectory,
  createService as createAccount,
  loadDirectorySettings,
  rpcEndpointChecks,
  rpcWorkspaces,
} from '@sluice/account/service';
import {
  createService as createGateway,
  type GatewayService,
  loadGatewaySettings,
} from '@sluice/gateway/service';
import {
  createService as createGuardrail,
  rpcCatalog,
  rpcDirectory as guardrailDirectory,
} from '@sluice/guardrail/service';
import { openKeyManagement } from '@sluice/boot/envelope-keys';
import { createService as createKey, rpcDirectory } from '@sluice/key/service';
import { loadSuspenseHours } from '@sluice/ledger/config';
import { createService as createLedger } from '@sluice/ledger/service';
import type { InferencePort } from '@sluice/inference-port';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import { ExportServiceService } from '@sluice/protos/sluice/analytics/v1/export';
import { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import {
  PrivateEndpointServiceService,
  PrivateEndpointUseServiceService,
} from '@sluice/protos/sluice/account/v1/private_endpoint';
import { EndUserServiceService } from '@sluice/protos/sluice/account/v1/end_user';
import { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import { ScimServiceService } from '@sluice/protos/sluice/account/v1/scim';
import { CatalogServiceService } from '@sluice/protos/sluice/catalog/v1/catalog';
import { EndpointCheckServiceService } from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { ByokServiceService } from '@sluice/protos/sluice/key/v1/byok';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { DestinationServiceService } from '@sluice/protos/sluice/workspace/v1/destination';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcClient } from '@sluice/rpc';
import { openService as openRouting } from '@sluice/routing/service';
import { Secret, type Service } from '@sluice/boot';
import type { AggregateService } from '@sluice/boot/aggregate-service';
import { systemClock, systemIds } from '@sluice/clock-and-ids';
import {
  createService as createWorkspace,
  loadTargets,
  openFiles,
  rpcDirectory as workspaceDirectory,
} from '@sluice/workspace/service';
import type { Parts, PartsOptions } from './parts.ts';

export interface Services {
  readonly clients: Clients;
  readonly gateway: GatewayService;
  readonly inference: InferencePort;
  unreadiness(): readonly string[];
  degradation(): readonly string[];
}

export type Clients = ReturnType<typeof connectClients>;

/**
 * Starts all services in this process. Those that own data answer gRPC on ports of this machine that only the
 * token opens, as they do elsewhere. The gateway calls routing directly.
 */
export async function startServices(options: PartsOptions, parts: Parts): Promise<Services> {
  const { platform, logger, telemetry } = options;
  const { eventStore, bus } = platform;
  const common = { eventStore, bus, clock: systemClock, ids: systemIds, logger, telemetry };
  const rpc = connectClients(parts);
  const { account: accounts, workspace: workspaces, key: keys } = rpc;
  const ledger = createLedger({
    ...common,
    database: parts.database('ledger'),
    suspenseHours: loadSuspenseHours(options.env),
  });
  const account = makeAccount(options, parts, rpc);
  const workspace = createWorkspace({
    ...common,
    database: parts.database('workspace'),
    directory: workspaceDirectory({ accounts, keys }),
    files: await openFiles(options.env, join(options.dataDirectory, 'files')),
    keyManagement: await openKeys(options),
    targets: loadTargets(options.env),
  });
  // The ledger first: it makes the streams that the others publish on.
  await parts.startRpc('ledger', ledger);
  const analytics = makeAnalytics(options, parts, rpc);
  const analyticsStarted = parts.startRpc('analytics', analytics);
  // It is awaited below, when the others have started.
  analyticsStarted.catch(() => undefined);
  await parts.startRpc('account', account);
  await parts.startRpc('workspace', workspace);
  const key = await makeKey(options, parts, rpc);
  await parts.startRpc('key', key);
  const guardrail = createGuardrail({
    ...common,
    database: parts.database('guardrail'),
    directory: guardrailDirectory({ accounts, workspaces, keys }),
    catalog: rpcCatalog(parts.client(CatalogServiceService, 'routing')),
  });
  await parts.startRpc('guardrail', guardrail);
  const sandbox = sandboxOf(options);
  const routing = await openRouting({
    ...common,
    env: { ...options.env, SLUICE_SIMULATOR_URL: platform.simulatorUrl },
    directory: join(options.dataDirectory, 'routing'),
    ledger: rpc.ledger,
    policies: { workspaces, guardrails: rpc.guardrail },
    accounts,
    credentials: parts.client(ByokUseServiceService, 'key'),
    endpointUse: parts.client(PrivateEndpointUseServiceService, 'account'),
    sandbox,
    files: rpc.files,
    onFatal: (error) => options.onLost(`The usage spool failed (${String(error)})`),
  });
  await parts.startRpc('routing', routing);
  await analyticsStarted;
  const settings = loadGatewaySettings(options.env);
  const gateway = createGateway({
    ...common,
    rpc: { ...rpc, sandbox, observer: undefined, standings: [] },
    inference: routing.inference,
    settings,
  });
  await parts.start(gateway);
  return {
    clients: rpc,
    gateway,
    inference: routing.inference,
    ...readinessOf([ledger, analytics, account, workspace, key, guardrail, routing, gateway]),
  };
}

/** The end of an upload may send the whole content to a bucket. */
const fileDeadlineMs = 120_000;

/** Above the time limit of a question, after which it is canceled. */
const questionDeadlineMs = 35_000;

/** Above the longest check of a private endpoint. */
const checkDeadlineMs = 40_000;

/** Above the longest creation of a private endpoint that is checked and activated. */
const privateEndpointDeadlineMs = 50_000;

/** Above the longest command. */
const sandboxDeadlineMs = 660_000;

function sandboxOf({ sandboxAddress: address, secrets, lifecycle }: PartsOptions) {
  if (address === undefined) return undefined;
  const client = rpcClient(SandboxServiceService, {
    address,
    token: secrets.rpcToken,
    deadlineMs: sandboxDeadlineMs,
  });
  lifecycle.add({ name: 'rpc client', stop: async () => client.close() });
  return client;
}

/** Makes the clients before the services, since services call each other in circles. */
function connectClients(parts: Parts) {
  const guardrail = parts.client(GuardrailServiceService, 'guardrail');
  return {
    ledger: parts.client(LedgerServiceService, 'ledger'),
    analytics: parts.client(AnalyticsServiceService, 'analytics', questionDeadlineMs),
    exports: parts.client(ExportServiceService, 'analytics'),
    account: parts.client(AccountServiceService, 'account'),
    endUsers: parts.client(EndUserServiceService, 'account'),
    privateEndpoints: parts.client(
      PrivateEndpointServiceService,
      'account',
      privateEndpointDeadlineMs,
    ),
    scim: parts.client(ScimServiceService, 'account'),
    idempotency: parts.client(IdempotencyServiceService, 'account'),
    audit: parts.client(AuditServiceService, 'account'),
    workspace: parts.client(WorkspaceServiceService, 'workspace'),
    files: parts.client(FileServiceService, 'workspace', fileDeadlineMs),
    destinations: parts.client(DestinationServiceService, 'workspace'),
    key: parts.client(KeyServiceService, 'key'),
    byok: parts.client(ByokServiceService, 'key'),
    guardrail,
    policies: guardrail,
  };
}

function readinessOf(services: readonly Service[]): Pick<Services, 'unreadiness' | 'degradation'> {
  return {
    unreadiness: () => services.flatMap((service) => service.unreadiness()),
    degradation: () => services.flatMap((service) => service.degradation()),
  };
}

function makeAnalytics(
  { env, platform: { bus }, lifecycle, logger, telemetry }: PartsOptions,
  parts: Parts,
  { ledger, files }: Pick<Clients, 'ledger' | 'files'>,
) {
  const address = loadClickHouse(env);
  const clickHouse = address && openClickHouse(address);
  if (clickHouse) lifecycle.add({ name: 'ClickHouse', stop: () => clickHouse.stop() });
  return createAnalytics({
    clickHouse,
    bus,
    logger,
    telemetry,
    database: parts.database('analytics'),
    questions: parts.database('analytics', { statementTimeoutMs: questionMsMax }),
    ledger,
    files,
    retention: loadRetention(env),
  });
}

function makeAccount(
  { env, platform: { eventStore, bus }, logger, telemetry }: PartsOptions,
  parts: Parts,
  { workspace }: Pick<Clients, 'workspace'>,
): AggregateService {
  return createAccount({
    eventStore,
    bus,
    clock: systemClock,
    ids: systemIds,
    logger,
    telemetry,
    database: parts.database('account'),
    workspaces: rpcWorkspaces(workspace),
    directory: configuredDirectory(loadDirectorySettings(env)),
    // The gateway serves no request before routing is there.
    endpointChecks: rpcEndpointChecks(
      parts.client(EndpointCheckServiceService, 'routing', checkDeadlineMs),
    ),
  });
}

async function makeKey(
  { env, dataDirectory, secrets, platform, logger, telemetry }: PartsOptions,
  parts: Parts,
  { account: accounts, workspace: workspaces }: Pick<Clients, 'account' | 'workspace'>,
): Promise<AggregateService> {
  const { eventStore, bus } = platform;
  return createKey({
    eventStore,
    bus,
    clock: systemClock,
    logger,
    telemetry,
    database: parts.database('key'),
    directory: rpcDirectory({ accounts, workspaces }),
    peppers: { currentVersion: 1, byVersion: new Map([[1, new Secret(secrets.keyPepper)]]) },
    keyManagement: await openKeys({ env, dataDirectory }),
    randomBytes,
  });
}

/** The services of one machine share the key file. */
async function openKeys({ env, dataDirectory }: Pick<PartsOptions, 'env' | 'dataDirectory'>) {
  return await openKeyManagement({ ...env, SLUICE_DATA_DIR: dataDirectory });
}
