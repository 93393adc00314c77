import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { Service } from '@sluice/boot';
import type { RpcService } from '@sluice/rpc';
import { callSignal } from '@sluice/rpc';
import type { SandboxConfig } from './config.ts';
import { Containers } from './containers/containers.ts';
import type { Engine, FoundEngine } from './engine/engine.ts';
import { sandboxRpc } from './rpc/sandbox-rpc.ts';

export interface SandboxService extends Service {
  readonly rpc: readonly RpcService[];
  /** One sentence for the operator: which engine is on, or why none is. */
  readonly announcement: string;
}

export interface SandboxDependencies {
  readonly config: SandboxConfig;
  readonly engine: FoundEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

/** The sandbox: containers on the engine that was found. Without one it answers that there is none. */
export function createService({
  config,
  engine,
  clock,
  logger,
  telemetry,
}: SandboxDependencies): SandboxService {
  const found = 'missing' in engine ? undefined : engine;
  const containers = found && containersOn(found, { config, clock, logger, telemetry });
  telemetry.observe('sandbox.containers', () => containers?.warmCount ?? 0);
  const description = found ? found.description : (engine as { missing: string }).missing;
  return {
    name: 'sandbox',
    announcement: found ? description : `no engine: ${description}`,
    start: async () => containers?.start(),
    stop: async () => containers?.stop(),
    unreadiness: () => [],
    degradation: () => [],
    rpc: [
      sandboxRpc({
        containers,
        engineName: found?.name ?? '',
        description,
        commandTimeoutMs: config.SLUICE_SANDBOX_TIMEOUT_MS,
        callSignal,
      }),
    ],
  };
}

function containersOn(
  engine: Engine,
  { config, clock, logger, telemetry }: Omit<SandboxDependencies, 'engine'>,
): Containers {
  return new Containers({
    engine,
    clock,
    logger,
    metrics: telemetry.metrics,
    containersMax: config.SLUICE_SANDBOX_CONTAINERS_MAX,
    accountContainersMax: config.SLUICE_SANDBOX_ACCOUNT_CONTAINERS_MAX,
    runningMax: config.SLUICE_SANDBOX_RUNNING_MAX,
    sleepAfterSeconds: 900,
  });
}
