import type { Lifecycle } from '@sluice/boot';
import { openBus } from '@sluice/boot/connections';
import type { Bus } from '@sluice/bus';
import type { InferencePort } from '@sluice/inference-port';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { GatewayConfig } from './config.ts';
import { httpInferencePort } from './inference/http-port.ts';
import { connectRpc, type RpcCalls } from './rpc-calls.ts';

export interface Clients {
  readonly rpc: RpcCalls;
  readonly inference: InferencePort;
  readonly bus: Bus;
}

interface Surroundings {
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly telemetry: Pick<Telemetry, 'tracing'>;
}

/** Connects the gateway to the other services and to the bus when it runs as a process of its own. */
export async function connectClients(
  config: GatewayConfig,
  { logger, lifecycle, telemetry: { tracing } }: Surroundings,
): Promise<Clients> {
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const rpc = connectRpc({
    addresses: {
      account: config.SLUICE_ACCOUNT_ADDRESS,
      key: config.SLUICE_KEY_ADDRESS,
      ledger: config.SLUICE_LEDGER_ADDRESS,
      workspace: config.SLUICE_WORKSPACE_ADDRESS,
      guardrail: config.SLUICE_GUARDRAIL_ADDRESS,
      analytics: config.SLUICE_ANALYTICS_ADDRESS,
      observer: config.SLUICE_OBSERVER_ADDRESS,
      sandbox: config.SLUICE_SANDBOX_ADDRESS,
    },
    token,
    tracing,
    onOpen: (name, close) => lifecycle.add({ name, stop: async () => close() }),
  });
  const bus = await openBus('gateway', config, { logger, lifecycle });
  const inference = httpInferencePort({ url: config.SLUICE_ROUTING_URL, token });
  lifecycle.add({ name: 'inference', stop: async () => inference.stop() });
  return { rpc, inference, bus };
}
