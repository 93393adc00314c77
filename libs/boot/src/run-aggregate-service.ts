import type { Env } from './config.ts';
import type { Ids } from '@sluice/clock-and-ids';
import type { AggregateDependencies, AggregateService } from './aggregate-service.ts';
import {
  type ConnectEventStore,
  connectStores,
  type StoreConfig,
  type Stores,
} from './connect-stores.ts';
import { callerOf, type CallService } from './connections.ts';
import { listenRpc, type RpcSurroundings } from './listen-rpc.ts';
import {
  type ProcessConfig,
  runServices,
  serviceProgram,
  type ServiceProgram,
  type Surroundings,
} from './run-service.ts';

/** The settings of `aggregateSettings`. */
export type AggregateConfig = ProcessConfig & StoreConfig & RpcSurroundings['config'];

export interface AggregateProgram<Config extends AggregateConfig> {
  readonly name: string;
  /** Throws InvalidConfig. */
  readonly config: (env: Env) => Config;
  readonly connectEventStore: ConnectEventStore;
  readonly create: (
    given: AggregateDependencies & { readonly ids: Ids },
    surroundings: Surroundings<Config> & { readonly call: CallService },
  ) => AggregateService | Promise<AggregateService>;
}

/** Runs a service that keeps aggregates as a process of its own: see `runServices`. */
export async function runAggregateService<Config extends AggregateConfig>(
  program: AggregateProgram<Config>,
): Promise<void> {
  await runServices(program.name, [{ program: aggregateProgram(program), env: process.env }]);
}

/** Returns the program of a service that keeps aggregates, for a process that it shares. */
export function aggregateProgram<Config extends AggregateConfig>(
  program: AggregateProgram<Config>,
): ServiceProgram {
  return serviceProgram<Config, Stores, AggregateService>({
    name: program.name,
    config: program.config,
    connect: (config, surroundings) => connectStores(program, config, surroundings),
    create: (stores, surroundings) => {
      const { clock, ids, logger, telemetry } = surroundings;
      const given = { ...stores, clock, ids, logger, telemetry };
      return program.create(given, { ...surroundings, call: callerOf(surroundings) });
    },
    listen: listenRpc,
  });
}
