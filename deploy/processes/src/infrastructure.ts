import { join } from 'node:path';
import { ensureNatsServer, startNats, startPostgres, startServerProcess } from '@sluice/embedded';
import { nodeUrl } from '@sluice/eventstore-server';
import {
  type BusAddress,
  eventStoreSecrets,
  type InfrastructureOptions,
  openLineLog,
  type Running,
} from '@sluice/local';
import type { Ports } from './ports.ts';

export interface SupervisedInfrastructureOptions extends Omit<InfrastructureOptions, 'onLost'> {
  readonly ports: Ports;
  readonly supervise: (name: string, start: () => Promise<Running>) => Promise<void>;
}

const root = join(import.meta.dirname, '..', '..', '..');
export const eventStoreProgram = join(root, 'libs', 'eventstore-server', 'src', 'main.ts');

/** PostgreSQL at its kept port; started again when it ends. Returns its URL, which stays the same. */
export async function supervisePostgres(options: SupervisedInfrastructureOptions): Promise<string> {
  const { settings, dataDirectory, ports } = options;
  if (settings.SLUICE_POSTGRES_URL !== undefined) return settings.SLUICE_POSTGRES_URL;
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'postgres.log'));
  let url = '';
  await options.supervise('postgres', async () => {
    const directory = join(dataDirectory, 'postgres');
    const server = await startPostgres({ directory, port: ports.postgres, onLog });
    url = server.url;
    return server;
  });
  return url;
}

/** nats-server at its kept ports; started again when it ends. */
export async function superviseNats(options: SupervisedInfrastructureOptions): Promise<BusAddress> {
  const { settings, env, dataDirectory, ports, progress } = options;
  if (settings.SLUICE_NATS_URL !== undefined)
    return {
      url: settings.SLUICE_NATS_URL,
      token: settings.SLUICE_NATS_TOKEN,
      monitorUrl: settings.SLUICE_NATS_MONITOR_URL,
    };
  const binary = await ensureNatsServer(env, (line) => progress.say(`  ${line}`));
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'nats.log'));
  let address: BusAddress | undefined;
  await options.supervise('nats', async () => {
    const server = await startNats({
      directory: join(dataDirectory, 'nats'),
      binary,
      port: ports.nats,
      monitorPort: ports['nats-monitor'],
      onLog,
    });
    address = server;
    return server;
  });
  return address as BusAddress;
}

/** Matches the lines of the event store that are shown to the operator. */
const aboutRecovery = /^The event log in |^The mark of what is durable/;

/** The event store node as a process of its own, at its kept port. Returns its URL. */
export async function superviseEventStore(
  options: SupervisedInfrastructureOptions,
): Promise<string> {
  const { settings, dataDirectory, ports } = options;
  if (settings.SLUICE_EVENTSTORE_URL) return settings.SLUICE_EVENTSTORE_URL.reveal();
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'eventstore.log'));
  const secretsDirectory = eventStoreSecrets(dataDirectory);
  // The password is in a file: everybody on the machine can read the arguments of a process.
  const place = ['--dir', join(dataDirectory, 'eventstore'), '--port', String(ports.eventstore)];
  const rest = ['--secrets', secretsDirectory, '--admin-port', String(ports['eventstore-admin'])];
  // For this start alone: what is lost while the node runs needs another permission.
  let permission = settings.SLUICE_EVENTSTORE_ACCEPT_LOSS ? ['--accept-loss'] : [];
  await options.supervise('eventstore', async () => {
    const server = await startServerProcess({
      name: 'event store',
      command: process.execPath,
      args: [eventStoreProgram, ...place, ...rest, ...permission],
      stopSignal: 'SIGTERM',
      readyPattern: /Listening on/,
      onLog: (line) => {
        onLog(line);
        if (aboutRecovery.test(line)) process.stderr.write(`${line}\n`);
      },
    });
    permission = [];
    return server;
  });
  return await nodeUrl({ secretsDirectory, port: ports.eventstore });
}
