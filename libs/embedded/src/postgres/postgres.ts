import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { endLeftover } from '../leftover.ts';
import { keptSecret, makePrivateDirectory } from '@sluice/private-files';
import { startServerProcess } from '../server-process.ts';
import { type PostgresAccount, postgresAccount } from './account.ts';
import { postgresBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { serverSettings } from './settings.ts';

export interface PostgresOptions {
  readonly directory: string;
  /** A free one when it is not given. */
  readonly port?: number;
  /** `none` is for tests: a power cut may lose everything. Default: strict. */
  readonly durability?: 'strict' | 'none';
  readonly onLog: (line: string) => void;
}

export interface EmbeddedPostgres {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

const user = 'sluice';
const attemptsMax = 5;
const retryMs = 300;
// The last children of a killed server still end.
const earlierRun = /shared memory block|lock file/;
// Another process took the port between the choice and its use.
const portTaken = /could not bind|could not create any TCP/;

/**
 * Real PostgreSQL as a child process, on 127.0.0.1 only, with a password that is kept in
 * `directory`. Made on the first start; one that an earlier run left running is ended first.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, durability = 'strict' } = options;
  await makePrivateDirectory(directory);
  const { postgres, initdb } = await postgresBinaries();
  const account = await postgresAccount([directory, postgres]);
  const passwordFile = join(directory, 'password');
  const password = await keptSecret(passwordFile);
  const cluster = { directory, passwordFile, user, initdb, account, durability };
  const data = await ensureCluster(cluster);
  await endEarlierRun(data);
  for (let attempt = 1; ; attempt += 1)
    try {
      const port = options.port ?? (await freePort());
      const server = await startServer({ ...options, durability, postgres, account, data, port });
      const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
      const { pid, exited } = server;
      return { name: 'postgres', url, pid, exited, stop: () => server.stop() };
    } catch (error) {
      const { message } = error as Error;
      const passing =
        earlierRun.test(message) || (options.port === undefined && portTaken.test(message));
      if (!passing || attempt === attemptsMax) throw error;
      await delay(retryMs);
    }
}

/** A file with the id of a process that is not ours would keep PostgreSQL from starting. */
async function endEarlierRun(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  await endLeftover({ name: 'PostgreSQL', pidFile, marker: data, stopSignal: 'SIGINT' });
  await rm(pidFile, { force: true });
}

function startServer(options: {
  readonly postgres: string;
  readonly account: PostgresAccount;
  readonly data: string;
  readonly port: number;
  readonly durability: 'strict' | 'none';
  readonly onLog: (line: string) => void;
}) {
  const invocation = options.account.command(options.postgres, [
    '-D',
    options.data,
    '-p',
    String(options.port),
    ...serverSettings(options.durability).flatMap((setting) => ['-c', setting]),
  ]);
  return startServerProcess({
    ...invocation,
    name: 'PostgreSQL',
    stopSignal: 'SIGINT',
    readyPattern: /ready to accept connections/,
    onLog: options.onLog,
  });
}
