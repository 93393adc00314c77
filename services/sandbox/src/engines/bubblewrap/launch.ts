import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, open as openFile } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { constants as constantsOfSystem, setPriority } from 'node:os';
import { promisify } from 'node:util';
import { collectOutput, type Output } from '../../engine/collect-output.ts';
import type { Command, Ran } from '../../engine/engine.ts';
import { drainedBytesMax } from '../../engine/limits.ts';
import { bareEnvironment } from './holder.ts';

export interface Launch {
  readonly args: readonly string[];
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  /** Paths of the program, of its filter, and of the named pipes that its outputs go through. */
  readonly bwrap: string;
  readonly seccomp: string;
  readonly pipes: { readonly stdout: string; readonly stderr: string };
  /** Sets the limits of the process before its command begins. Returns the end of their watch. */
  readonly admit: (
    pid: number,
    kill: (reason: string) => void,
  ) => Promise<() => Promise<string | undefined>>;
}

const niceness = 10;
const oomScore = '1000';
/** After the end of a command its outputs are read for so long: the kernel ends what it left behind. */
const closingMs = 5_000;

/** Runs one command and returns what came of it. Throws when it cannot be started. */
export async function launch(options: Launch, command: Command): Promise<Ran> {
  const startedMs = performance.now();
  const opened: number[] = [];
  const readers: Socket[] = [];
  try {
    const bwrap = await openFor(opened, options.bwrap, constants.O_RDONLY);
    const seccomp = await openFor(opened, options.seccomp, constants.O_RDONLY);
    const stdout = await openPipe(options.pipes.stdout, opened, readers);
    const stderr = await openPipe(options.pipes.stderr, opened, readers);
    const child = spawn(options.args[0] as string, options.args.slice(1), {
      ...options.owner,
      cwd: '/',
      env: bareEnvironment,
      detached: true,
      stdio: [command.input ? 'pipe' : 'ignore', stdout, stderr, 'pipe', bwrap, seccomp],
    });
    // The command has its own copies of the write ends; with ours open the outputs would never end.
    for (const fd of opened.splice(0)) closeSync(fd);
    const ran = await follow(child, readers, options, command);
    return { ...ran, durationMs: performance.now() - startedMs };
  } finally {
    for (const fd of opened) closeSync(fd);
    for (const reader of readers) reader.destroy();
  }
}

async function follow(
  child: ChildProcess,
  readers: readonly Socket[],
  options: Launch,
  command: Command,
): Promise<Omit<Ran, 'durationMs'>> {
  const { promise: exited, resolve, reject } = Promise.withResolvers<number>();
  child.once('exit', (code, signal) => resolve(code ?? signalStatus(signal)));
  child.once('error', reject);
  exited.catch(() => undefined);
  let ended: string | undefined;
  const end = (reason: string) => {
    ended ??= reason;
    child.kill('SIGKILL');
  };
  const [stdout, stderr] = readers.map((reader) =>
    collectOutput(reader, {
      keptMax: command.outputBytesMax,
      drainedMax: drainedBytesMax,
      onFlood: () => end(`it wrote more than ${drainedBytesMax} bytes`),
    }),
  ) as [Output, Output];
  const closed = Promise.all(readers.map(closeOf));
  const timer = setTimeout(() => end(timedOut), command.timeoutMs);
  const onAbort = () => end('its caller left');
  command.signal?.addEventListener('abort', onAbort);
  if (command.signal?.aborted) onAbort();
  try {
    const settle = await admitted(child, options, end).catch((error: unknown) => {
      // It was ended before it began: a time limit may be that short.
      if (ended === undefined) throw error;
      return async () => undefined;
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(command.input);
    const exitCode = await exited;
    const overLimit = await settle();
    await within(closed, closingMs);
    return {
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      isCut: stdout.isCut() || stderr.isCut(),
      outcome: outcomeOf(ended ?? (exitCode === 0 ? undefined : overLimit), exitCode),
    };
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
  }
}

const timedOut = 'timed_out';

/** A shell's status of a command that a signal ended. */
function signalStatus(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : constantsOfSystem.signals[signal]);
}

function outcomeOf(ended: string | undefined, exitCode: number): Ran['outcome'] {
  if (ended === undefined) return { type: 'exited', exitCode };
  return ended === timedOut ? { type: 'timed_out' } : { type: 'killed', reason: ended };
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
    child.kill('SIGKILL');
    throw error;
  }
}

/** Opens a named pipe: `/dev/stdout` cannot be opened inside where an output is a socket. */
async function openPipe(path: string, opened: number[], readers: Socket[]): Promise<number> {
  const fd = await openPath(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Before the socket begins to read: without a writer a named pipe is at its end.
  const written = await openFor(opened, path, constants.O_WRONLY);
  readers.push(new Socket({ fd, readable: true, writable: false }));
  return written;
}

const openPath = promisify(openFile) as (path: string, flags: number) => Promise<number>;

async function openFor(opened: number[], path: string, flags: number): Promise<number> {
  const fd = await openPath(path, flags);
  opened.push(fd);
  return fd;
}

function closeOf(reader: Socket): Promise<void> {
  return new Promise((resolve) => {
    reader.once('close', () => resolve());
  });
}

async function within(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
