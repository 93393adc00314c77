import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
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
import type { InferencePort } from '@sluice/inference-port';
import { PrivateEndpointUseServiceService } from '@sluice/protos/sluice/account/v1/private_endpoint';
import { CatalogServiceService } from '@sluice/protos/sluice/catalog/v1/catalog';
import { EndpointCheckServiceService } from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
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
import { type Clients, connectClients } from './clients.ts';
import type { Parts, PartsOptions } from './parts.ts';

export interface Services {
  readonly clients: Clients;
  readonly gateway: GatewayService;
  readonly inference: InferencePort;
  unreadiness(): readonly string[];
  degradation(): readonly string[];
}

/**
 * Starts all services but the books in this process. Those that own data answer gRPC on ports of this machine that only
 * the token opens, as they do elsewhere. The gateway calls routing directly.
 */
export async function startServices(options: PartsOptions, parts: Parts): Promise<Services> {
  const { platform, logger, telemetry } = options;
  const { eventStore, bus } = platform;
  const common = { eventStore, bus, clock: systemClock, ids: systemIds, logger, telemetry };
  const rpc = connectClients(parts);
  const { accounts, workspaces, keys, guardrails } = rpc;
  const account = makeAccount(options, parts, rpc);
  const workspace = createWorkspace({
    ...common,
    database: parts.database('workspace'),
    directory: workspaceDirectory({ accounts, keys }),
    files: await openFiles(options.env, join(options.dataDirectory, 'files')),
    keyManagement: await openKeys(options),
    targets: loadTargets(options.env),
  });
  await parts.startRpc('account', account);
  await parts.startRpc('workspace', workspace);
  const key = await makeKey(options, parts, rpc);
  await parts.startRpc('key', key);
  const guardrail = makeGuardrail(options, parts, rpc);
  await parts.startRpc('guardrail', guardrail);
  const sandbox = sandboxOf(options);
  const routing = await openRouting({
    ...common,
    env: { ...options.env, SLUICE_SIMULATOR_URL: platform.simulatorUrl },
    directory: join(options.dataDirectory, 'routing'),
    ledger: rpc.ledger,
    policies: { workspaces, guardrails },
    accounts,
    credentials: parts.client(ByokUseServiceService, 'key'),
    endpointUse: parts.client(PrivateEndpointUseServiceService, 'account'),
    sandbox,
    files: rpc.files,
    contentKeys: await openKeys(options),
    onFatal: (error) => options.onLost(`The usage spool failed (${String(error)})`),
  });
  await parts.startRpc('routing', routing);
  const settings = loadGatewaySettings(options.env);
  const gateway = createGateway({
    ...common,
    rpc: { ...rpc, sandbox, standings: [] },
    inference: routing.inference,
    settings,
  });
  await parts.start(gateway);
  const started = [account, workspace, key, guardrail, routing, gateway];
  return {
    clients: rpc,
    gateway,
    inference: routing.inference,
    ...readinessOf(started),
  };
}

/** Above the longest check of a private endpoint. */
const checkDeadlineMs = 40_000;

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

function readinessOf(services: readonly Service[]): Pick<Services, 'unreadiness' | 'degradation'> {
  return {
    unreadiness: () => services.flatMap((service) => service.unreadiness()),
    degradation: () => services.flatMap((service) => service.degradation()),
  };
}

function makeGuardrail(
  { platform: { eventStore, bus }, logger, telemetry }: PartsOptions,
  parts: Parts,
  { accounts, workspaces, keys }: Clients,
) {
  return createGuardrail({
    eventStore,
    bus,
    clock: systemClock,
    logger,
    telemetry,
    database: parts.database('guardrail'),
    directory: guardrailDirectory({ accounts, workspaces, keys }),
    catalog: rpcCatalog(parts.client(CatalogServiceService, 'routing')),
  });
}

function makeAccount(
  { env, platform: { eventStore, bus }, logger, telemetry }: PartsOptions,
  parts: Parts,
  { workspaces }: Pick<Clients, 'workspaces'>,
): AggregateService {
  return createAccount({
    eventStore,
    bus,
    clock: systemClock,
    ids: systemIds,
    logger,
    telemetry,
    database: parts.database('account'),
    workspaces: rpcWorkspaces(workspaces),
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
  { accounts, workspaces }: Pick<Clients, 'accounts' | 'workspaces'>,
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
