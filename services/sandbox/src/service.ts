import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { Service } from '@sluice/boot';
import type { RpcService } from '@sluice/rpc';
import { callSignal } from '@sluice/rpc';
import type { SandboxConfig } from './config.ts';
import { Containers } from './containers/containers.ts';
import type { Engine, FoundEngine } from './engine/engine.ts';
import { EngineSearch } from './engine/engine-search.ts';
import { sandboxRpc } from './rpc/sandbox-rpc.ts';

export interface SandboxService extends Service {
  readonly rpc: readonly RpcService[];
  /** One sentence for the operator: which engine is on, or why none is. */
  readonly announcement: string;
}

export interface SandboxDependencies {
  readonly config: SandboxConfig;
  readonly engine: FoundEngine;
  /** Looks for an engine again. If absent, the settings want none. */
  readonly findAgain?: (() => Promise<FoundEngine>) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

/** The sandbox: containers on the engine that was found. Without one it answers that there is none, and looks again. */
export function createService({
  config,
  engine,
  findAgain,
  clock,
  logger,
  telemetry,
}: SandboxDependencies): SandboxService {
  const on = (found: Engine) => containersOn(found, { config, clock, logger, telemetry });
  let containers = 'missing' in engine ? undefined : on(engine);
  const search = new EngineSearch({
    first: engine,
    findAgain,
    logger,
    onFound(found) {
      containers = on(found);
      containers.start();
    },
  });
  telemetry.observe('sandbox.containers', () => containers?.warmCount ?? 0);
  return {
    name: 'sandbox',
    announcement: search.engine ? search.description : `no engine: ${search.description}`,
    async start() {
      containers?.start();
      search.start();
    },
    async stop() {
      await search.stop();
      await containers?.stop();
    },
    unreadiness: () => [],
    degradation: () => [],
    rpc: [
      sandboxRpc({
        containers: () => containers,
        described: () => ({
          engine: search.engine?.name ?? '',
          description: search.description,
        }),
        commandTimeoutMs: config.SLUICE_SANDBOX_TIMEOUT_MS,
        callSignal,
      }),
    ],
  };
}

function containersOn(
  engine: Engine,
  { config, clock, logger, telemetry }: Omit<SandboxDependencies, 'engine' | 'findAgain'>,
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
