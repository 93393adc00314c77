import { type Bus, connectBus } from '@sluice/bus';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { PrivateEndpointUseServiceService } from '@sluice/protos/sluice/account/v1/private_endpoint';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcClient, type RpcDefinition } from '@sluice/rpc';
import type { FileCalls } from '@sluice/workspace-files';
import type { Lifecycle } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import type { RoutingConfig } from '../compose/config.ts';
import type { CredentialCalls } from '../credentials/ask-credentials.ts';
import type { PrivateEndpointCalls } from '../private-endpoints/private-endpoints.ts';
import type { AccountCalls } from '../policy/alignment-beta.ts';
import type { PolicyCalls } from '../policy/ask-policy.ts';
import type { Sandbox } from '../tools/sandbox/sandbox.ts';
import type { LedgerCalls } from './ledger-calls.ts';

export interface Clients {
  readonly bus: Bus;
  readonly ledger: LedgerCalls;
  readonly policies: PolicyCalls;
  readonly accounts: AccountCalls;
  readonly credentials: CredentialCalls;
  readonly endpointUse: PrivateEndpointCalls;
  readonly sandbox: Sandbox | undefined;
  readonly files: FileCalls;
}

const deadlineMs = 2_000;
/** Above the longest command of a sandbox. */
const sandboxDeadlineMs = 660_000;
const fileDeadlineMs = 20_000;

/** Clients of other services, when this one runs on its own; `lifecycle` closes them. */
export async function connectClients(
  config: RoutingConfig,
  { logger, lifecycle }: { readonly logger: Logger; readonly lifecycle: Lifecycle },
): Promise<Clients> {
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN?.reveal(),
    name: 'routing',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const connect = <Definition extends RpcDefinition>(
    definition: Definition,
    address: string,
    callMs = deadlineMs,
  ) => {
    const client = rpcClient(definition, { address, token, deadlineMs: callMs });
    lifecycle.add({ name: 'rpc', stop: async () => client.close() });
    return client;
  };
  const { SLUICE_SANDBOX_ADDRESS: sandboxAddress } = config;
  const sandbox =
    sandboxAddress === undefined
      ? undefined
      : connect(SandboxServiceService, sandboxAddress, sandboxDeadlineMs);
  const workspaces = connect(WorkspaceServiceService, config.SLUICE_WORKSPACE_ADDRESS);
  const guardrails = connect(GuardrailServiceService, config.SLUICE_GUARDRAIL_ADDRESS);
  return {
    bus,
    ledger: connect(LedgerServiceService, config.SLUICE_LEDGER_ADDRESS),
    policies: { workspaces, guardrails },
    accounts: connect(AccountServiceService, config.SLUICE_ACCOUNT_ADDRESS),
    credentials: connect(ByokUseServiceService, config.SLUICE_KEY_ADDRESS),
    endpointUse: connect(PrivateEndpointUseServiceService, config.SLUICE_ACCOUNT_ADDRESS),
    sandbox,
    files: connect(FileServiceService, config.SLUICE_WORKSPACE_ADDRESS, fileDeadlineMs),
  };
}
