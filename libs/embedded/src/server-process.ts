import type { StdioOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { SetupProblem } from './setup-problem.ts';
import {
  startWatchedProcess,
  type WatchedProcess,
  type WatchedProcessOptions,
} from './watched-process.ts';

export interface ServerProcessOptions extends Omit<WatchedProcessOptions, 'stdio'> {
  readonly onLog: (line: string) => void;
  /** The line that says that it takes connections. */
  readonly readyPattern: RegExp;
  /** Opens an IPC channel: the child can be sent messages. */
  readonly channel?: boolean;
}

const readyTimeoutMs = 120_000;
const lastLinesMax = 5;

/**
 * Starts a server and waits for its ready line. Returns every line up to that one.
 * Throws SetupProblem with its last words when it ends before, or is not ready within 2 min.
 */
export async function startServerProcess(
  options: ServerProcessOptions,
): Promise<WatchedProcess & { readonly startLines: readonly string[] }> {
  const channel = options.channel ? (['ipc'] as const) : [];
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...channel];
  const server = await startWatchedProcess({ ...options, stdio });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const startLines: string[] = [];
  let starting = true;
  const onLine = (line: string) => {
    options.onLog(line);
    if (!starting) return;
    startLines.push(line);
    if (options.readyPattern.test(line)) resolve();
  };
  for (const input of [server.child.stdout, server.child.stderr])
    if (input) createInterface({ input }).on('line', onLine);
  const timer = setTimeout(
    () => reject(new SetupProblem(`${options.name} was not ready within 2 min.`)),
    readyTimeoutMs,
  );
  server.child.once('close', () =>
    reject(
      new SetupProblem(
        `${options.name} ended while starting: ${startLines.slice(-lastLinesMax).join(' | ')}`,
      ),
    ),
  );
  try {
    await ready;
    return { ...server, startLines };
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    starting = false;
    clearTimeout(timer);
  }
}
