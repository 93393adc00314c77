import { type Clock, type Ids, systemClock, systemIds } from '@sluice/clock-and-ids';
import { createLogger, type Logger, type LogLevel } from '@sluice/logging';
import { createTelemetry, type Telemetry } from '@sluice/telemetry';
import { startAdmin } from './admin.ts';
import { type Env, InvalidConfig } from './config.ts';
import { Lifecycle, untilSignal } from './lifecycle.ts';
import { type TelemetryConfig, telemetryOptions } from './process-settings.ts';
import type { Service } from './service.ts';

/** The settings of `processSettings`. */
export interface ProcessConfig extends TelemetryConfig {
  readonly SLUICE_HOST: string;
  readonly SLUICE_ADMIN_PORT: number;
  readonly SLUICE_LOG_LEVEL: LogLevel;
}

/** Sent to the parent on an IPC channel when all ports are open. */
export const servesMessage = 'serves';

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
  /** Opens the port of the service after its start and returns the address. Absent: the service has no port. */
  readonly listen?: (service: NoInfer<Made>, surroundings: Surroundings<Config>) => Promise<string>;
}

type Common = Omit<Surroundings<unknown>, 'config' | 'env'>;

/** A program whose settings are known. */
interface Configured {
  readonly config: ProcessConfig;
  /** Connects and starts the service. */
  open(common: Common): Promise<Opened>;
}

interface Opened {
  /** The name of the program. */
  readonly name: string;
  readonly service: Service;
  /** Opens the port of the service and returns the address. undefined: it has none. */
  listen(): Promise<string | undefined>;
}

/** A service that runs in a process of its own, or in one with others. */
export interface ServiceProgram {
  readonly name: string;
  /** Throws InvalidConfig. */
  configure(env: Env): Configured;
}

/** A service of a process, and the environment that it reads. */
export interface Part {
  readonly program: ServiceProgram;
  readonly env: Env;
}

export function serviceProgram<Config extends ProcessConfig, Clients, Made extends Service>(
  program: Program<Config, Clients, Made>,
): ServiceProgram {
  return {
    name: program.name,
    configure(env) {
      const config = program.config(env);
      return { config, open: (common) => open(program, { ...common, config, env }) };
    },
  };
}

/** Runs a service as a process of its own: see `runServices`. */
export async function runService<Config extends ProcessConfig, Clients, Made extends Service>(
  program: Program<Config, Clients, Made>,
): Promise<void> {
  await runServices(program.name, [{ program: serviceProgram(program), env: process.env }]);
}

/**
 * Runs services in one process until SIGINT or SIGTERM. A failed start sets exit code 1. Nothing starts with invalid
 * settings: one line on standard error names them. The settings of the process are those of the first part.
 */
export async function runServices(name: string, parts: readonly [Part, ...Part[]]): Promise<void> {
  const programs = configured(name, parts);
  if (programs === undefined) return;
  const [{ config }] = programs;
  const logger = createLogger({ service: name, level: config.SLUICE_LOG_LEVEL });
  const lifecycle = new Lifecycle(logger);
  try {
    const telemetry = createTelemetry(telemetryOptions(name, config));
    lifecycle.add({ name: 'telemetry', stop: () => telemetry.stop() });
    const common = { clock: systemClock, ids: systemIds, logger, telemetry, lifecycle };
    const opened = await Promise.all(programs.map((program) => program.open(common)));
    let isListening = false;
    const admin = await startAdmin({
      host: config.SLUICE_HOST,
      port: config.SLUICE_ADMIN_PORT,
      unreadiness: () => [
        ...(isListening ? [] : [`the ${name} service does not listen yet`]),
        ...opened.flatMap(({ service }) => service.unreadiness()),
      ],
      degradation: () => opened.flatMap(({ service }) => service.degradation()),
      metrics: () => telemetry.prometheus(),
    });
    lifecycle.add({ name: 'admin', stop: () => admin.stop() });
    for (const one of opened) {
      const address = await one.listen();
      logger.info(`${one.name} serves`, address === undefined ? {} : { address });
    }
    isListening = true;
    tellParent();
    await untilSignal();
  } catch (error) {
    logger.error(`${name} could not start`, { error });
    process.exitCode = 1;
  } finally {
    await lifecycle.stop();
  }
}

async function open<Config extends ProcessConfig, Clients, Made extends Service>(
  program: Program<Config, Clients, Made>,
  surroundings: Surroundings<Config>,
): Promise<Opened> {
  const clients = await program.connect(surroundings.config, surroundings);
  const service = await program.create(clients, surroundings);
  surroundings.lifecycle.add(service);
  await service.start();
  const listen = async () => program.listen?.(service, surroundings);
  return { name: program.name, service, listen };
}

/** Says to a parent that has opened a channel that all ports are open. */
function tellParent(): void {
  if (process.connected) process.send?.(servesMessage, () => undefined);
}

function configured(
  name: string,
  [first, ...others]: readonly [Part, ...Part[]],
): readonly [Configured, ...Configured[]] | undefined {
  try {
    return [configure(first), ...others.map(configure)];
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    process.stderr.write(`${name} could not start. ${error.message}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

function configure({ program, env }: Part): Configured {
  return program.configure(env);
}
