import { setTimeout as delay } from 'node:timers/promises';
import { startWatchedProcess, type WatchedProcess } from '@sluice/embedded';

/** A program that starts again whenever it ends. */
export interface ReturningProcess extends AsyncDisposable {
  /** Kills the process that runs now, with SIGKILL. */
  kill(): void;
}

export interface ReturningProcessOptions {
  readonly name: string;
  /** A file that Node runs. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A program that cannot start, because another part is away, tries again after this time. */
const againMs = 100;

/** Runs a program until it is disposed of. It does not outlive this process. */
export async function startReturning(options: ReturningProcessOptions): Promise<ReturningProcess> {
  const { name, program, args = [], env } = options;
  const ending = new AbortController();
  const start = () =>
    startWatchedProcess({
      name,
      command: process.execPath,
      args: [program, ...args],
      stdio: 'ignore',
      stopSignal: 'SIGTERM',
      env,
    });
  let current: WatchedProcess = await start();
  const running = (async () => {
    for (;;) {
      await current.exited;
      await delay(againMs, undefined, { signal: ending.signal }).catch(() => undefined);
      if (ending.signal.aborted) return;
      current = await start();
    }
  })();
  return {
    kill: () => void current.child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await current.stop();
      await running;
    },
  };
}
