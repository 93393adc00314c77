import { join } from 'node:path';
import { ensureNatsServer, startNats, startPostgres } from '@sluice/embedded';
import { observeRecovery, startEventStoreServer } from '@sluice/eventstore-server';
import type { Lifecycle } from '@sluice/boot';
import { startSimulator } from '@sluice/simulator';
import type { Telemetry } from '@sluice/telemetry';
import { openLineLog } from './log-file.ts';
import type { Progress } from './progress.ts';
import type { LocalSettings } from './settings.ts';
import type { Running } from './supervised.ts';

export interface InfrastructureOptions {
  readonly settings: LocalSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  /** Started parts are added to it. */
  readonly lifecycle: Lifecycle;
  readonly progress: Progress;
  /** Starts a server and looks after it: `runOnce`, or a supervisor that starts it again. */
  readonly run: (name: ServerName, start: () => Promise<Running>) => Promise<void>;
  /** Fixed ports, for processes that come back at the same address. */
  readonly ports?: Readonly<Record<ServerName | 'nats-monitor', number>>;
}

type ServerName = 'postgres' | 'nats';
const titles = { postgres: 'PostgreSQL', nats: 'NATS' } as const;

/** Starts servers once. `onLost` is told when one ends that nobody stopped. */
export function runOnce({
  lifecycle,
  progress,
  onLost,
}: Pick<InfrastructureOptions, 'lifecycle' | 'progress'> & {
  readonly onLost: (sentence: string) => void;
}): InfrastructureOptions['run'] {
  return async (name, start) => {
    const server = await progress.step(titles[name], start);
    let stopping = false;
    void server.exited.then((sentence) => {
      if (!stopping) onLost(sentence);
    });
    lifecycle.add({
      name,
      stop() {
        stopping = true;
        return server.stop();
      },
    });
  };
}

/** A real PostgreSQL: the one of the settings, else an embedded one. Returns its URL. */
export async function providePostgres(options: InfrastructureOptions): Promise<string> {
  const { settings, dataDirectory, run, ports } = options;
  if (settings.SLUICE_POSTGRES_URL !== undefined) return settings.SLUICE_POSTGRES_URL;
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'postgres.log'));
  const directory = join(dataDirectory, 'postgres');
  let url = '';
  await run('postgres', async () => {
    const server = await startPostgres({
      directory,
      onLog,
      ...(ports && { port: ports.postgres }),
    });
    url = server.url;
    return server;
  });
  return url;
}

export interface BusAddress {
  readonly url: string;
  readonly token: string | undefined;
  readonly monitorUrl: string | undefined;
}

/** A real nats-server: the one of the settings, else an embedded one, fetched where it is missing. */
export async function provideNats(options: InfrastructureOptions): Promise<BusAddress> {
  const { settings, env, dataDirectory, progress, run, ports } = options;
  if (settings.SLUICE_NATS_URL !== undefined)
    return {
      url: settings.SLUICE_NATS_URL,
      token: settings.SLUICE_NATS_TOKEN,
      monitorUrl: settings.SLUICE_NATS_MONITOR_URL,
    };
  const binary = await ensureNatsServer(env, (line) => progress.say(`  ${line}`));
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'nats.log'));
  const directory = join(dataDirectory, 'nats');
  const kept = ports && { port: ports.nats, monitorPort: ports['nats-monitor'] };
  let address: BusAddress | undefined;
  await run('nats', async () => {
    const server = await startNats({ directory, binary, onLog, ...kept });
    address = server;
    return server;
  });
  return address as BusAddress;
}

/** Returns the folder of the event store node's password and certificates. */
export function eventStoreSecrets(dataDirectory: string): string {
  return join(dataDirectory, 'secrets', 'eventstore');
}

/**
 * The event store node in this process, unless the settings name another. Returns its URL. The telemetry shows how its
 * log was found.
 */
export async function provideEventStore(
  { settings, dataDirectory, lifecycle, progress }: Omit<InfrastructureOptions, 'run'>,
  telemetry: Pick<Telemetry, 'observe'>,
): Promise<string> {
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
  observeRecovery(telemetry, server.recovery);
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
