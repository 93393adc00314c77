import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { constants as constantsOfSystem, setPriority } from 'node:os';
import type { Command, Ran } from '../../engine/engine.ts';
import { type Execution, follow } from '../../engine/follow.ts';
import { bareEnvironment } from '../../host/bare-environment.ts';
import { openFor, openPipe, type Pipes } from '../../host/named-pipes.ts';

export interface Launch {
  readonly args: readonly string[];
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  /** Paths of the program, of its filter, and of the named pipes that its outputs go through. */
  readonly bwrap: string;
  readonly seccomp: string;
  readonly pipes: Pipes;
  /** Sets the limits of the process before its command begins. Returns the end of their watch. */
  readonly admit: (
    pid: number,
    kill: (reason: string) => void,
  ) => Promise<() => Promise<string | undefined>>;
}

const niceness = 10;
const oomScore = '1000';

/** Runs one command and returns what came of it. Throws when it cannot be started. */
export async function launch(options: Launch, command: Command): Promise<Ran> {
  const opened: number[] = [];
  const readers: Socket[] = [];
  try {
    const bwrap = await openFor(opened, options.bwrap, constants.O_RDONLY);
    const seccomp = await openFor(opened, options.seccomp, constants.O_RDONLY);
    const stdout = await openPipe(options.pipes.stdout, opened, readers);
    const stderr = await openPipe(options.pipes.stderr, opened, readers);
    const start = () =>
      spawn(options.args[0] as string, options.args.slice(1), {
        ...options.owner,
        cwd: '/',
        env: bareEnvironment,
        detached: true,
        stdio: [command.input ? 'pipe' : 'ignore', stdout, stderr, 'pipe', bwrap, seccomp],
      });
    return await follow((end) => {
      const child = start();
      // The command has its own copies of the write ends; with ours open the outputs would never end.
      for (const fd of opened.splice(0)) closeSync(fd);
      return executionOf(child, readers, { options, end, input: command.input });
    }, command);
  } finally {
    for (const fd of opened) closeSync(fd);
    for (const reader of readers) reader.destroy();
  }
}

interface Starting {
  readonly options: Launch;
  readonly end: (reason: string) => void;
  readonly input: Uint8Array | undefined;
}

function executionOf(
  child: ChildProcess,
  readers: readonly Socket[],
  { options, end, input }: Starting,
): Execution {
  const { promise: exited, resolve, reject } = Promise.withResolvers<number>();
  child.once('exit', (code, signal) => resolve(code ?? signalStatus(signal)));
  child.once('error', reject);
  exited.catch(() => undefined);
  let isKilled = false;
  const run = async () => {
    const settle = await admitted(child, options, end).catch((error: unknown) => {
      // It was ended before it began: a time limit may be that short.
      if (!isKilled) throw error;
      return async () => undefined;
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    const exitCode = await exited;
    const overLimit = await settle();
    return { exitCode, overLimit: exitCode === 0 ? undefined : overLimit };
  };
  const [stdout, stderr] = readers as readonly [Socket, Socket];
  return {
    stdout,
    stderr,
    ended: run(),
    kill() {
      isKilled = true;
      killGroup(child);
    },
  };
}

/**
 * Ends a launch with the process that bwrap has just forked: until that one has asked to die with its parent, it would
 * live on. It leaves our group only after that.
 */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** A shell's status of a command that a signal ended. */
function signalStatus(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : constantsOfSystem.signals[signal]);
}

async function admitted(
  child: ChildProcess,
  options: Launch,
  end: (reason: string) => void,
): Promise<() => Promise<string | undefined>> {
  const gate = child.stdio[3] as Socket;
  gate.on('error', () => undefined);
  const { pid } = child;
  if (pid === undefined) return async () => undefined;
  try {
    const settle = await options.admit(pid, end);
    setPriority(pid, niceness);
    await writeFile(`/proc/${pid}/oom_score_adj`, oomScore);
    gate.end('go\n');
    return settle;
  } catch (error) {
    killGroup(child);
    throw error;
  }
}
