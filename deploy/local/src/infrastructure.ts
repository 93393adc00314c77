import { join } from 'node:path';
import { ensureNatsServer, startNats, startPostgres } from '@sluice/embedded';
import { observeRecovery, startEventStoreServer } from '@sluice/eventstore-server';
import type { Lifecycle } from '@sluice/boot';
import { startSimulator } from '@sluice/simulator';
import type { Telemetry } from '@sluice/telemetry';
import { openLineLog } from './log-file.ts';
import type { Progress } from './progress.ts';
import type { LocalSettings } from './settings.ts';

export interface InfrastructureOptions {
  readonly settings: LocalSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  /** Started parts are added to it. */
  readonly lifecycle: Lifecycle;
  readonly progress: Progress;
  /** Shows how the log of the event store was found. */
  readonly telemetry?: Pick<Telemetry, 'observe'>;
  /** Told when a server ends that nobody stopped. */
  readonly onLost: (sentence: string) => void;
  /** Fixed ports, for processes that come back at the same address. */
  readonly ports?: Readonly<Record<'postgres' | 'nats' | 'nats-monitor', number>>;
}

/** A real PostgreSQL: the one of the settings, else an embedded one. Returns its URL. */
export async function providePostgres(options: InfrastructureOptions): Promise<string> {
  const { settings, dataDirectory, lifecycle, progress, onLost, ports } = options;
  if (settings.SLUICE_POSTGRES_URL !== undefined) return settings.SLUICE_POSTGRES_URL;
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'postgres.log'));
  const postgres = await progress.step('PostgreSQL', () =>
    startPostgres({
      directory: join(dataDirectory, 'postgres'),
      onLog,
      ...(ports ? { port: ports.postgres } : {}),
    }),
  );
  addServer(lifecycle, postgres, onLost);
  return postgres.url;
}

export interface BusAddress {
  readonly url: string;
  readonly token: string | undefined;
  readonly monitorUrl: string | undefined;
}

/** A real nats-server: the one of the settings, else an embedded one, fetched where it is missing. */
export async function provideNats(options: InfrastructureOptions): Promise<BusAddress> {
  const { settings, env, dataDirectory, lifecycle, progress, onLost, ports } = options;
  if (settings.SLUICE_NATS_URL !== undefined)
    return {
      url: settings.SLUICE_NATS_URL,
      token: settings.SLUICE_NATS_TOKEN,
      monitorUrl: settings.SLUICE_NATS_MONITOR_URL,
    };
  const binary = await ensureNatsServer(env, (line) => progress.say(`  ${line}`));
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'nats.log'));
  const nats = await progress.step('NATS', () =>
    startNats({
      directory: join(dataDirectory, 'nats'),
      binary,
      onLog,
      ...(ports ? { port: ports.nats, monitorPort: ports['nats-monitor'] } : {}),
    }),
  );
  addServer(lifecycle, nats, onLost);
  return nats;
}

/** Returns the folder of the event store node's password and certificates. */
export function eventStoreSecrets(dataDirectory: string): string {
  return join(dataDirectory, 'secrets', 'eventstore');
}

/** The event store node in this process, unless the settings name another. Returns its URL. */
export async function provideEventStore(options: InfrastructureOptions): Promise<string> {
  const { settings, dataDirectory, lifecycle, progress } = options;
  if (settings.SLUICE_EVENTSTORE_URL) return settings.SLUICE_EVENTSTORE_URL.reveal();
  const server = await progress.step('event store', () =>
    startEventStoreServer({
      directory: join(dataDirectory, 'eventstore'),
      secretsDirectory: eventStoreSecrets(dataDirectory),
      host: '127.0.0.1',
      port: 0,
      acceptLoss: settings.SLUICE_EVENTSTORE_ACCEPT_LOSS,
    }),
  );
  lifecycle.add({ name: 'event store', stop: () => server.stop() });
  if (options.telemetry) observeRecovery(options.telemetry, server.recovery);
  return server.url;
}

/** The simulator's base URL; it runs in this process unless the settings name another. */
export async function provideSimulator(
  options: Pick<InfrastructureOptions, 'settings' | 'dataDirectory' | 'lifecycle'>,
): Promise<string> {
  const { settings, dataDirectory, lifecycle } = options;
  if (settings.SLUICE_SIMULATOR_URL !== undefined) return settings.SLUICE_SIMULATOR_URL;
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    receiptsFile: join(dataDirectory, 'simulator', 'receipts.jsonl'),
  });
  lifecycle.add({ name: 'simulator', stop: () => simulator.stop() });
  return simulator.url;
}

function addServer(
  lifecycle: Lifecycle,
  server: {
    readonly name: string;
    readonly exited: Promise<string>;
    stop(): Promise<void>;
  },
  onLost: (sentence: string) => void,
): void {
  let stopping = false;
  void server.exited.then((sentence) => {
    if (!stopping) onLost(sentence);
  });
  lifecycle.add({
    name: server.name,
    stop() {
      stopping = true;
      return server.stop();
    },
  });
}
