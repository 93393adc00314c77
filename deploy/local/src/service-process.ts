import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { startWatchedProcess, type WatchedProcess } from '@sluice/embedded';
import { prepareLogFile } from './log-file.ts';
import type { LocalSettings } from './settings.ts';

export interface ServiceProcessOptions {
  readonly name: string;
  /** The program; with the data directory behind it, it names one process of this machine. */
  readonly program: string;
  readonly dataDirectory: string;
  readonly settings: Pick<LocalSettings, 'SLUICE_LOG'>;
  /** On top of the environment of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Options of Node.js. */
  readonly nodeOptions?: readonly string[];
  /** Opens an IPC channel, on which the process says that it serves. */
  readonly channel?: boolean;
}

/** Returns the file to which the log lines of a process go unless they go to the terminal. */
export function logFileOf(dataDirectory: string, name: string): string {
  return join(dataDirectory, 'logs', `${name}.log`);
}

/** Starts a program of one or more services. It does not outlive this process. */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<WatchedProcess> {
  const { name, program, dataDirectory, settings, env, nodeOptions = [] } = options;
  const log = await open(await prepareLogFile(logFileOf(dataDirectory, name)), 'a', 0o600);
  try {
    const output = settings.SLUICE_LOG === 'stdout' ? 'inherit' : log.fd;
    return await startWatchedProcess({
      name,
      command: process.execPath,
      args: [...nodeOptions, program, dataDirectory],
      stdio: ['ignore', output, output, ...(options.channel ? (['ipc'] as const) : [])],
      stopSignal: 'SIGTERM',
      env,
    });
  } finally {
    await log.close();
  }
}
