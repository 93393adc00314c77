import {
  type ChildProcess,
  type SerializationType,
  spawn,
  type StdioOptions,
} from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupProblem } from './setup-problem.ts';

export interface WatchedProcessOptions {
  /** The name of the process in messages for people. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly stdio: StdioOptions;
  /** The form of messages on an `ipc` channel. JSON by default. */
  readonly serialization?: SerializationType;
  /** Asks it to end in good order; sent as well when this process dies without asking. */
  readonly stopSignal: NodeJS.Signals;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Only root may give it. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

export interface WatchedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves with a sentence when it has ended, for whatever reason. */
  readonly exited: Promise<string>;
  /** Resolves when it has ended; it is killed when it does not end in good order within 8 s. */
  stop(): Promise<void>;
}

const stopTimeoutMs = 8_000;

/**
 * Starts a process that does not outlive this one, not even when this one is killed with -9.
 * It has a session of its own: Ctrl-C reaches it through `stop` only, in its turn.
 */
export async function startWatchedProcess(options: WatchedProcessOptions): Promise<WatchedProcess> {
  const child = spawn(options.command, [...options.args], {
    detached: true,
    stdio: options.stdio,
    serialization: options.serialization,
    env: { ...process.env, ...options.env },
    ...options.owner,
  });
  const { promise: exited, resolve } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) =>
    resolve(`${options.name} ended with ${signal ?? `exit code ${code}`}`),
  );
  await spawned(child, options);
  const pid = child.pid as number;
  const watchdog = startWatchdog(pid, options.stopSignal);
  void exited.then(() => watchdog.kill('SIGKILL'));
  return {
    child,
    pid,
    exited,
    async stop() {
      child.kill(options.stopSignal);
      const timer = new AbortController();
      const kill = delay(stopTimeoutMs, undefined, { signal: timer.signal }).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      );
      await exited;
      timer.abort();
      await kill;
    },
  };
}

async function spawned(child: ChildProcess, { name, command }: WatchedProcessOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('spawn', resolve).once('error', (cause) => {
    reject(new SetupProblem(`${name} could not be started from ${command}.`, { cause }));
  });
  await promise;
}

/** The pipe to it breaks with the death of this process, and then it sends the signal, also to what was stopped. */
function startWatchdog(pid: number, signal: NodeJS.Signals): ChildProcess {
  const script = 'cat >/dev/null; kill -s "$1" "$2" 2>/dev/null; kill -s CONT "$2" 2>/dev/null';
  const watchdog = spawn('/bin/sh', ['-c', script, 'watchdog', signal.slice(3), String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin?.on('error', () => undefined);
  watchdog.unref();
  (watchdog.stdin as { unref?: () => void } | null)?.unref?.();
  return watchdog;
}
