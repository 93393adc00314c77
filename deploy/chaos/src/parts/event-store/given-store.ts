import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectEventStore } from '@sluice/eventstore';
import { until } from '@sluice/patience';
import type { Settings } from '@sluice/testing/settings';
import { freeze } from '../outage.ts';
import type { Ability, Store } from './store.ts';

export interface GivenStoreOptions {
  /** `ESDB_URL`. */
  readonly url: string;
  /** `ESDB_START`: a shell command that runs the server in the foreground. The test starts it, and may kill it. */
  readonly startCommand: string | undefined;
  /** `ESDB_PID`: a server that runs already. It can only be frozen. */
  readonly pid: number | undefined;
  /** `ESDB_DATA`: the directory with the server's data. Its content may be replaced. */
  readonly dataDirectory: string | undefined;
}

/** Returns the server that the settings name. */
export function givenStore(settings: Settings): GivenStoreOptions | undefined {
  const url = settings.text('ESDB_URL');
  if (url === undefined) return undefined;
  const startCommand = settings.text('ESDB_START');
  const pid = settings.wholeNumber('ESDB_PID', 0) || undefined;
  return { url, startCommand, pid, dataDirectory: settings.text('ESDB_DATA') };
}

/** Starts a server that is not ours. It can be treated as an outside party can treat it. */
export async function startGivenStore(options: GivenStoreOptions): Promise<Store> {
  const { url, startCommand, pid, dataDirectory: data = '' } = options;
  let child: ChildProcess | undefined;
  const start = async () => {
    if (startCommand !== undefined)
      child = spawn('sh', ['-c', `exec ${startCommand}`], { detached: true, stdio: 'ignore' });
    await until(() => isAnswering(url), { everyMs: 50, sameLooksMax: 2_400 });
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = child;
    if (ending?.pid === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    process.kill(-ending.pid, signal);
    await ended;
  };
  await start();
  return {
    name: 'the given server',
    url,
    lacks: (ability) => lacks(options, ability),
    kill: () => end('SIGKILL'),
    exit: () => end('SIGTERM'),
    start,
    async freeze() {
      const frozen = await freeze(child?.pid ?? pid ?? 0);
      return async () => frozen.letGo();
    },
    switchTo: () => Promise.reject(new Error('a given server has no fault switches')),
    copyData: (to) => cp(data, to, { recursive: true }),
    async replaceData(from) {
      await mkdir(data, { recursive: true });
      for (const name of await readdir(data)) await rm(join(data, name), { recursive: true });
      if (from !== undefined) await cp(from, data, { recursive: true });
    },
    grow: () => Promise.reject(new Error('the log of a given server cannot be written')),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}

function lacks(options: GivenStoreOptions, ability: Ability): string | undefined {
  const { startCommand, pid, dataDirectory } = options;
  const command = startCommand === undefined ? 'ESDB_START is not given' : undefined;
  const data = dataDirectory === undefined ? 'ESDB_DATA is not given' : undefined;
  const reasons: Readonly<Record<Ability, string | undefined>> = {
    process: command,
    freeze: pid === undefined && command ? 'neither ESDB_PID nor ESDB_START is given' : undefined,
    data: command ?? data,
    growth: 'only the log of the embedded node can be written while it does not run',
    switches: 'only the fault switches of the embedded node can do it',
  };
  return reasons[ability];
}

/** Connects anew each time: a client that waits between its attempts would find the server late. */
async function isAnswering(url: string): Promise<boolean> {
  const store = await connectEventStore({ url }).catch(() => undefined);
  if (!store) return false;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => store.stop());
  return await store.end().then(
    () => true,
    () => false,
  );
}
