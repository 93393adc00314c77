import type { Logger } from '@sluice/logging';
import { StandingServiceService } from '@sluice/protos/sluice/standing/v1/standing';
import { implement, type RpcService, startRpcServer } from '@sluice/rpc';
import type { Telemetry } from '@sluice/telemetry';
import type { Secret } from './config.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Service } from './service.ts';

export interface RpcSurroundings {
  /** The settings of `rpcServerSettings`. */
  readonly config: { readonly SLUICE_RPC_ADDRESS: string; readonly SLUICE_RPC_TOKEN: Secret };
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'tracing'>;
  readonly lifecycle: Lifecycle;
}

/**
 * Starts the RPC server of a service, which stops with the lifecycle. It also reports why the service serves only a
 * part. Returns its `host:port`.
 */
export async function listenRpc(
  service: Pick<Service, 'degradation'> & { readonly rpc: readonly RpcService[] },
  { config, logger, telemetry, lifecycle }: RpcSurroundings,
): Promise<string> {
  const standing = implement(StandingServiceService, {
    getStanding: async () => ({ degradation: [...service.degradation()] }),
  });
  const server = await startRpcServer({
    services: [...service.rpc, standing],
    address: config.SLUICE_RPC_ADDRESS,
    token: config.SLUICE_RPC_TOKEN.reveal(),
    tracing: telemetry.tracing,
    onBug: (error, method) => logger.error('a call failed by a bug', { method, error }),
  });
  lifecycle.add({ name: 'rpc', stop: () => server.stop() });
  return server.address;
}
