import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectEventStore } from '@sluice/eventstore';
import { freeze } from '../outages/stopping.ts';
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

const answerTimeoutMs = 120_000;
const pollMs = 50;

/** A server that is not ours. It can be treated as an outside party can treat it. */
export async function startGivenStore(options: GivenStoreOptions): Promise<Store> {
  const { url, startCommand, pid, dataDirectory } = options;
  let child: ChildProcess | undefined;
  const start = async () => {
    if (startCommand !== undefined)
      child = spawn('sh', ['-c', `exec ${startCommand}`], { detached: true, stdio: 'ignore' });
    await untilAnswering(url);
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = child;
    if (ending?.pid === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    process.kill(-ending.pid, signal);
    await ended;
  };
  const data = () => dataDirectory ?? '';
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
      return () => frozen.letGo();
    },
    switchTo: () => Promise.reject(new Error('a given server has no fault switches')),
    copyData: (to) => cp(data(), to, { recursive: true }),
    async replaceData(from) {
      await mkdir(data(), { recursive: true });
      for (const name of await readdir(data())) await rm(join(data(), name), { recursive: true });
      if (from !== undefined) await cp(from, data(), { recursive: true });
    },
    grow: () => Promise.reject(new Error('nobody can write the log of a given server')),
    stop: () => end('SIGKILL'),
  };
}

function lacks(options: GivenStoreOptions, ability: Ability): string | undefined {
  const { startCommand, pid, dataDirectory } = options;
  const needsCommand = startCommand === undefined ? 'ESDB_START is not given' : undefined;
  switch (ability) {
    case 'process':
      return needsCommand;
    case 'freeze':
      return pid === undefined && needsCommand
        ? 'neither ESDB_PID nor ESDB_START is given'
        : undefined;
    case 'data':
      return needsCommand ?? (dataDirectory === undefined ? 'ESDB_DATA is not given' : undefined);
    case 'growth':
      return 'only the log of the embedded node can be written while it does not run';
    case 'switches':
      return 'only the fault switches of the embedded node can do it';
  }
}

/** Connects anew each time: a client that waits between its attempts would find it late. */
async function untilAnswering(url: string): Promise<void> {
  const deadlineMs = performance.now() + answerTimeoutMs;
  for (;;) {
    const answered = await endOf(url);
    if (answered) return;
    if (performance.now() > deadlineMs)
      throw new Error(`The given server does not answer within ${answerTimeoutMs / 1_000} s.`);
    await delay(pollMs);
  }
}

async function endOf(url: string): Promise<boolean> {
  const store = await connectEventStore({ url }).catch(() => undefined);
  if (!store) return false;
  try {
    await store.end();
    return true;
  } catch {
    return false;
  } finally {
    await store.stop();
  }
}
