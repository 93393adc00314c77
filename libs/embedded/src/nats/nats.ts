import { join } from 'node:path';
import { endLeftover } from '../leftover.ts';
import { keptSecret, makePrivateDirectory, writePrivateFile } from '@sluice/private-files';
import { startServerProcess } from '../server-process.ts';
import { authorization } from './users.ts';
import { SetupProblem } from '../setup-problem.ts';

export interface NatsOptions {
  readonly directory: string;
  /** The path of nats-server 2.10 or newer. */
  readonly binary: string;
  /** A free one when it is not given. */
  readonly port?: number;
  /** The port of the monitoring address, which shows the configuration. Absent: a free one. */
  readonly monitorPort?: number;
  readonly onLog: (line: string) => void;
}

export interface EmbeddedNats {
  readonly name: string;
  readonly url: string;
  /** The password of the services, whose user is `sluice`. */
  readonly token: string;
  /** The password of the user `reader`, who may only read facts. */
  readonly readerPassword: string;
  /** The path is a secret: NATS asks for no password here, and other users of this machine reach the port. */
  readonly monitorUrl: string;
  readonly pid: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * A real nats-server with JetStream as a child process, on 127.0.0.1 only, with passwords that are kept
 * in `directory`. It syncs before it acknowledges. One that an earlier run left running is ended first.
 */
export async function startNats(options: NatsOptions): Promise<EmbeddedNats> {
  const { directory } = options;
  await makePrivateDirectory(directory);
  const token = await keptSecret(join(directory, 'token'));
  const readerPassword = await keptSecret(join(directory, 'reader-password'));
  const monitorPath = await keptSecret(join(directory, 'monitor-path'));
  const configFile = join(directory, 'nats-server.conf');
  const pidFile = join(directory, 'nats-server.pid');
  await endLeftover({ name: 'nats-server', pidFile, marker: configFile, stopSignal: 'SIGTERM' });
  await writePrivateFile(
    configFile,
    config({ ...options, pidFile, token, readerPassword, monitorPath }),
  );
  const server = await startServerProcess({
    name: 'nats-server',
    command: options.binary,
    args: ['-c', configFile],
    stopSignal: 'SIGTERM',
    readyPattern: /Server is ready/,
    onLog: options.onLog,
  });
  const said = server.startLines.join('\n');
  const address = /client connections on (\S+)/.exec(said)?.[1];
  const monitorAddress = /http monitor on (\S+)/.exec(said)?.[1];
  if (address === undefined || monitorAddress === undefined) {
    await server.stop();
    throw new SetupProblem('nats-server did not say which ports it listens on.');
  }
  const { pid, exited } = server;
  return {
    name: 'nats',
    url: `nats://${address}`,
    token,
    readerPassword,
    monitorUrl: `http://${monitorAddress}/${monitorPath}`,
    pid,
    exited,
    stop: () => server.stop(),
  };
}

function config(settings: {
  readonly directory: string;
  readonly pidFile: string;
  readonly token: string;
  readonly readerPassword: string;
  readonly port?: number;
  readonly monitorPort?: number;
  readonly monitorPath: string;
}): string {
  const text = JSON.stringify;
  return [
    'host: "127.0.0.1"',
    `port: ${settings.port ?? -1}`,
    `http: "127.0.0.1:${settings.monitorPort ?? -1}"`,
    `http_base_path: ${text(`/${settings.monitorPath}`)}`,
    `pid_file: ${text(settings.pidFile)}`,
    'max_payload: 1MB',
    'max_connections: 256',
    ...authorization({ services: settings.token, reader: settings.readerPassword }),
    'jetstream {',
    `  store_dir: ${text(settings.directory)}`,
    '  max_memory_store: 64MB',
    '  sync_interval: always',
    '}',
    '',
  ].join('\n');
}
