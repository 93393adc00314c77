import { callerOf, openBus } from '@sluice/boot/connections';
import type { Surroundings } from '@sluice/boot/run-service';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { PrivateEndpointUseServiceService } from '@sluice/protos/sluice/account/v1/private_endpoint';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { RoutingConfig } from '../compose/config.ts';

/** Above the longest command of a sandbox. */
const sandboxDeadlineMs = 660_000;
const fileDeadlineMs = 20_000;

/** Connects routing to the bus and to other services when it runs as a process of its own. */
export async function connectClients(
  config: RoutingConfig,
  surroundings: Surroundings<RoutingConfig>,
) {
  const bus = await openBus('routing', config, surroundings);
  const call = callerOf(surroundings);
  const workspaces = call(WorkspaceServiceService, config.SLUICE_WORKSPACE_ADDRESS);
  const guardrails = call(GuardrailServiceService, config.SLUICE_GUARDRAIL_ADDRESS);
  const sandbox = config.SLUICE_SANDBOX_ADDRESS;
  return {
    bus,
    ledger: call(LedgerServiceService, config.SLUICE_LEDGER_ADDRESS),
    policies: { workspaces, guardrails },
    accounts: call(AccountServiceService, config.SLUICE_ACCOUNT_ADDRESS),
    credentials: call(ByokUseServiceService, config.SLUICE_KEY_ADDRESS),
    endpointUse: call(PrivateEndpointUseServiceService, config.SLUICE_ACCOUNT_ADDRESS),
    sandbox:
      sandbox === undefined ? undefined : call(SandboxServiceService, sandbox, sandboxDeadlineMs),
    files: call(FileServiceService, config.SLUICE_WORKSPACE_ADDRESS, fileDeadlineMs),
  };
}
