import { type Clock, type Ids, systemClock, systemIds } from '@sluice/clock-and-ids';
import { createLogger, type Logger, type LogLevel } from '@sluice/logging';
import { createTelemetry, type Telemetry } from '@sluice/telemetry';
import { startAdmin } from './admin.ts';
import { InvalidConfig } from './config.ts';
import { Lifecycle, untilSignal } from './lifecycle.ts';
import { type TelemetryConfig, telemetryOptions } from './process-settings.ts';
import type { Service } from './service.ts';

/** The settings of `processSettings`. */
export interface ProcessConfig extends TelemetryConfig {
  readonly SLUICE_HOST: string;
  readonly SLUICE_ADMIN_PORT: number;
  readonly SLUICE_LOG_LEVEL: LogLevel;
}

type Env = Readonly<Record<string, string | undefined>>;

export interface Surroundings<Config> {
  readonly config: Config;
  readonly env: Env;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** Stops with the process: in the reverse order of `add`, the service included. */
  readonly lifecycle: Lifecycle;
}

export interface Program<Config extends ProcessConfig, Clients, Made extends Service> {
  readonly name: string;
  /** Throws InvalidConfig. */
  readonly config: (env: Env) => Config;
  /** Connects to everything outside of the process. */
  readonly connect: (config: Config, surroundings: Surroundings<Config>) => Promise<Clients>;
  readonly create: (clients: Clients, surroundings: Surroundings<Config>) => Made | Promise<Made>;
  /** Opens the port of the service after its start and returns the address: `listenRpc`, or its own. */
  readonly listen: (service: NoInfer<Made>, surroundings: Surroundings<Config>) => Promise<string>;
}

/**
 * Runs a service as a process of its own until SIGINT or SIGTERM. A failed start sets exit code 1. Nothing starts with
 * invalid settings: one line on standard error names them.
 */
export async function runService<Config extends ProcessConfig, Clients, Made extends Service>(
  program: Program<Config, Clients, Made>,
): Promise<void> {
  const { name } = program;
  const { env } = process;
  const config = configOf(program, env);
  if (config === undefined) return;
  const logger = createLogger({ service: name, level: config.SLUICE_LOG_LEVEL });
  const lifecycle = new Lifecycle(logger);
  try {
    const telemetry = createTelemetry(telemetryOptions(name, config));
    lifecycle.add({ name: 'telemetry', stop: () => telemetry.stop() });
    const known = { config, env, clock: systemClock, ids: systemIds, logger, telemetry };
    const surroundings = { ...known, lifecycle };
    const clients = await program.connect(config, surroundings);
    const service = lifecycle.add(await program.create(clients, surroundings));
    await service.start();
    let isListening = false;
    const admin = await startAdmin({
      host: config.SLUICE_HOST,
      port: config.SLUICE_ADMIN_PORT,
      unreadiness: () => [
        ...(isListening ? [] : [`the ${name} service does not listen yet`]),
        ...service.unreadiness(),
      ],
      degradation: () => service.degradation(),
      metrics: () => telemetry.prometheus(),
    });
    lifecycle.add({ name: 'admin', stop: () => admin.stop() });
    const address = await program.listen(service, surroundings);
    isListening = true;
    logger.info(`${name} serves`, { address });
    await untilSignal();
  } catch (error) {
    logger.error(`${name} could not start`, { error });
    process.exitCode = 1;
  } finally {
    await lifecycle.stop();
  }
}

function configOf<Config>(
  { name, config }: { readonly name: string; readonly config: (env: Env) => Config },
  env: Env,
): Config | undefined {
  try {
    return config(env);
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    process.stderr.write(`${name} could not start. ${error.message}\n`);
    process.exitCode = 1;
    return undefined;
  }
}
