import { join } from 'node:path';
import { startServerProcess } from '@sluice/embedded';
import { nodeUrl } from '@sluice/eventstore-server';
import {
  eventStoreSecrets,
  type InfrastructureOptions,
  openLineLog,
  type Running,
} from '@sluice/local';
import type { Ports } from './ports.ts';

export interface SupervisedStoreOptions extends Pick<
  InfrastructureOptions,
  'settings' | 'dataDirectory'
> {
  readonly ports: Ports;
  readonly run: (name: string, start: () => Promise<Running>) => Promise<void>;
}

const root = join(import.meta.dirname, '..', '..', '..');
export const eventStoreProgram = join(root, 'libs', 'eventstore-server', 'src', 'main.ts');

/** Matches the lines of the event store that are shown to the operator. */
const aboutRecovery = /^The event log in |^The mark of what is durable/;

/** The event store node as a process of its own, at its kept port. Returns its URL. */
export async function superviseEventStore({
  settings,
  dataDirectory,
  ports,
  run,
}: SupervisedStoreOptions): Promise<string> {
  if (settings.SLUICE_EVENTSTORE_URL) return settings.SLUICE_EVENTSTORE_URL.reveal();
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'eventstore.log'));
  const secretsDirectory = eventStoreSecrets(dataDirectory);
  // The password is in a file: everybody on the machine can read the arguments of a process.
  const place = ['--dir', join(dataDirectory, 'eventstore'), '--port', String(ports.eventstore)];
  const rest = ['--secrets', secretsDirectory, '--admin-port', String(ports['eventstore-admin'])];
  // For this start alone: what is lost while the node runs needs another permission.
  let permission = settings.SLUICE_EVENTSTORE_ACCEPT_LOSS ? ['--accept-loss'] : [];
  await run('eventstore', async () => {
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
