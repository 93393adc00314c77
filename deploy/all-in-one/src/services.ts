import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  configuredDirectory,
  createService as createAccount,
  loadDirectorySettings,
  rpcWorkspaces,
} from '@sluice/account/service';
import {
  createService as createGateway,
  type GatewayService,
  loadGatewaySettings,
} from '@sluice/gateway/service';
import {
  createService as createGuardrail,
  listedModels,
  listsInProcess,
  rpcDirectory as guardrailDirectory,
} from '@sluice/guardrail/service';
import {
  createService as createKey,
  type KeyService,
  openKeyManagement,
  rpcDirectory,
} from '@sluice/key/service';
import { createService as createLedger } from '@sluice/ledger/service';
import { Fault } from '@sluice/errors';
import type { InferencePort } from '@sluice/inference';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import { EndUserServiceService } from '@sluice/protos/sluice/account/v1/end_user';
import { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import { ScimServiceService } from '@sluice/protos/sluice/account/v1/scim';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { ByokServiceService } from '@sluice/protos/sluice/key/v1/byok';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { openService as openRouting } from '@sluice/routing/service';
import type { RpcClient } from '@sluice/rpc';
import { Secret, type Service } from '@sluice/boot';
import { systemClock, systemIds } from '@sluice/clock-and-ids';
import {
  createService as createWorkspace,
  rpcDirectory as workspaceDirectory,
} from '@sluice/workspace/service';
import { lateClient } from './late-client.ts';
import type { Parts, PartsOptions } from './parts.ts';

export interface Services {
  readonly clients: Clients;
  readonly gateway: GatewayService;
  readonly inference: InferencePort;
  /** `host:port` where the account service and the ledger answer. */
  readonly address: string;
  /** `host:port` where the key service answers. */
  readonly keyAddress: string;
  unreadiness(): readonly string[];
  degradation(): readonly string[];
}

export interface Clients {
  readonly ledger: RpcClient<LedgerServiceService>;
  readonly account: RpcClient<AccountServiceService>;
  readonly endUsers: RpcClient<EndUserServiceService>;
  readonly scim: RpcClient<ScimServiceService>;
  readonly workspace: RpcClient<WorkspaceServiceService>;
  readonly key: RpcClient<KeyServiceService>;
  readonly byok: RpcClient<ByokServiceService>;
  readonly guardrail: RpcClient<GuardrailServiceService>;
}

/**
 * All services in this process. Those that own data answer gRPC on ports of this machine that only the
 * token opens, as they do elsewhere; the gateway calls routing directly.
 */
export async function startServices(options: PartsOptions, parts: Parts): Promise<Services> {
  const { platform, logger, telemetry } = options;
  const { eventStore, bus } = platform;
  const common = { eventStore, bus, clock: systemClock, ids: systemIds, logger, telemetry };
  // Services ask each other in circles: who asks has the clients before anybody answers.
  let asked: Clients | undefined;
  const late = <Name extends keyof Clients>(name: Name) =>
    lateClient(() => {
      if (asked === undefined) throw new Fault('unavailable');
      return asked[name];
    });
  const ledger = createLedger({ ...common, database: parts.database('ledger') });
  const account = createAccount({
    ...common,
    database: parts.database('account'),
    workspaces: rpcWorkspaces(late('workspace')),
    directory: configuredDirectory(loadDirectorySettings(options.env)),
  });
  const workspace = createWorkspace({
    ...common,
    database: parts.database('workspace'),
    directory: workspaceDirectory({ accounts: late('account'), keys: late('key') }),
  });
  // The ledger first: it makes the streams that the others publish on.
  for (const service of [ledger, account, workspace]) await parts.start(service);
  const address = await parts.serve([...ledger.rpc, ...account.rpc, ...workspace.rpc]);
  const clients = {
    ledger: parts.client(LedgerServiceService, address),
    account: parts.client(AccountServiceService, address),
    endUsers: parts.client(EndUserServiceService, address),
    scim: parts.client(ScimServiceService, address),
    workspace: parts.client(WorkspaceServiceService, address),
    idempotency: parts.client(IdempotencyServiceService, address),
    audit: parts.client(AuditServiceService, address),
  };
  const key = await makeKey(options, parts, clients);
  await parts.start(key);
  const keyAddress = await parts.serve(key.rpc);
  const { keys, byok, credentials } = keyClients(parts, keyAddress);
  const { account: accounts, workspace: workspaces } = clients;
  const guardrail = createGuardrail({
    ...common,
    database: parts.database('guardrail'),
    directory: guardrailDirectory({ accounts, workspaces, keys }),
    // Nobody is served before routing is there.
    catalogue: listedModels(listsInProcess(() => routing.inference)),
  });
  await parts.start(guardrail);
  const guardrails = parts.client(GuardrailServiceService, await parts.serve(guardrail.rpc));
  const rpc = { ...clients, key: keys, byok, guardrail: guardrails, policies: guardrails };
  asked = rpc;
  const routing = await openRouting({
    ...common,
    env: { ...options.env, SLUICE_SIMULATOR_URL: platform.simulatorUrl },
    directory: join(options.dataDirectory, 'routing'),
    ledger: clients.ledger,
    policies: { workspaces: clients.workspace, guardrails: rpc.guardrail },
    credentials,
    onFatal: (error) => options.onLost(`The usage spool failed (${String(error)})`),
  });
  await parts.start(routing);
  const settings = loadGatewaySettings(options.env);
  const gateway = createGateway({ ...common, rpc, inference: routing.inference, settings });
  await parts.start(gateway);
  return {
    clients: rpc,
    gateway,
    inference: routing.inference,
    address,
    keyAddress,
    ...readinessOf([ledger, account, workspace, key, guardrail, routing, gateway]),
  };
}

function readinessOf(services: readonly Service[]): Pick<Services, 'unreadiness' | 'degradation'> {
  return {
    unreadiness: () => services.flatMap((service) => service.unreadiness()),
    degradation: () => services.flatMap((service) => service.degradation()),
  };
}

function keyClients(parts: Parts, address: string) {
  return {
    keys: parts.client(KeyServiceService, address),
    byok: parts.client(ByokServiceService, address),
    credentials: parts.client(ByokUseServiceService, address),
  };
}

async function makeKey(
  { env, dataDirectory, secrets, platform, logger, telemetry }: PartsOptions,
  parts: Parts,
  { account: accounts, workspace: workspaces }: Pick<Clients, 'account' | 'workspace'>,
): Promise<KeyService> {
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
    keyManagement: await openKeyManagement({ ...env, SLUICE_DATA_DIR: dataDirectory }),
    randomBytes,
  });
}
