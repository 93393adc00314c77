import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Socket } from 'node:net';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bareEnvironment } from '../../host/bare-environment.ts';

export interface RunscOptions {
  readonly binary: string;
  /** The folder in which runsc keeps the state of its containers. */
  readonly stateFolder: string;
}

export interface Container {
  readonly id: string;
  /** Resolves with a sentence when it has ended. */
  readonly ended: Promise<string>;
  /** Ends it with all of its processes. */
  end(): Promise<void>;
}

export interface StartOptions extends RunscOptions {
  readonly id: string;
  readonly bundle: string;
  /** The network namespace that its interfaces come from. It has none but its own loopback if absent. */
  readonly networkPath: string | undefined;
  /** Sets the limits of the process before runsc begins. */
  readonly admit: (pid: number) => Promise<void>;
}

const gateDescriptor = 3;
const gate = `read -r _ <&${gateDescriptor} || exit 125; exec ${gateDescriptor}<&-; exec "$@"`;

/**
 * Versions before 2025 take a file of this folder for a sign of the machine's own network, and refuse to run. Kernels
 * since 6.10 show the file in every network, so that runsc gets an empty view of the folder.
 */
const hide = 'mount -t tmpfs none /proc/sys/net/core && exec "$@"';

/** Returns the arguments that begin a program in a network. */
function within(networkPath: string): readonly string[] {
  const enter = ['nsenter', `--net=${networkPath}`];
  return [...enter, 'unshare', '--mount', '--propagation', 'private', 'sh', '-c', hide, 'hide'];
}

const baseArguments = ({ binary, stateFolder }: RunscOptions): readonly string[] => [
  binary,
  '--root',
  stateFolder,
  // The limits are those of our own control group, which runsc begins in.
  '--ignore-cgroups',
];

/**
 * Starts a container. It ends with this process: runsc gets a signal when its parent ends, its sandbox when runsc does,
 * and nothing in the container can hold that up.
 */
export async function startContainer(options: StartOptions): Promise<Container> {
  const { id, bundle, networkPath, admit } = options;
  const network = `--network=${networkPath === undefined ? 'none' : 'sandbox'}`;
  const args = [...baseArguments(options), network, 'run', '--bundle', bundle, id];
  const waiting = [
    'sh',
    '-c',
    gate,
    'gate',
    ...(networkPath === undefined ? [] : within(networkPath)),
    ...args,
  ];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...waiting], {
    cwd: '/',
    env: bareEnvironment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const words = lastWords(child);
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) =>
    resolve([`the container ended with ${signal ?? code}`, ...words].join(': ')),
  );
  child.once('error', (error) => resolve(error.message));
  child.stdin?.on('error', () => undefined);
  const end = async () => {
    child.stdin?.destroy();
    child.kill('SIGKILL');
    await ended;
    await removeState(options, id);
  };
  const ready = new Promise<'ready'>((found) => {
    child.stdout?.once('data', () => found('ready'));
  });
  try {
    if (child.pid !== undefined) await admit(child.pid);
    const opening = child.stdio[gateDescriptor] as Socket;
    opening.on('error', () => undefined);
    opening.end('go\n');
    const state = await Promise.race([ready, ended]);
    if (state !== 'ready') throw new Error(state);
    return { id, ended, end };
  } catch (error) {
    await end();
    throw error;
  }
}

function lastWords(child: ChildProcess): readonly string[] {
  const words: string[] = [];
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (words.length < 5) words.push(line);
    });
  return words;
}

/** Capabilities of the process that begins and ends a command; the command itself has none. */
const capabilities = ['CAP_KILL', 'CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'];

export interface ExecOptions extends RunscOptions {
  readonly container: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly argv: readonly string[];
}

/** Runs a program in a container, as its root. */
export function exec(
  options: ExecOptions,
  stdio: readonly ('pipe' | 'ignore' | number)[],
): ChildProcess {
  const { container, environment, folder, argv } = options;
  const args = [
    ...baseArguments(options),
    'exec',
    '--user=0:0',
    `--cwd=${folder}`,
    ...capabilities.map((name) => `--cap=${name}`),
    ...Object.entries(environment).map(([name, value]) => `--env=${name}=${value}`),
    container,
    ...argv,
  ];
  return spawn(args[0] as string, args.slice(1), {
    cwd: '/',
    env: bareEnvironment,
    stdio: [...stdio],
  });
}

/** Removes the state that a container left behind. `runsc delete` may wait for one that was ended from outside. */
async function removeState({ stateFolder }: RunscOptions, id: string): Promise<void> {
  const names = await readdir(stateFolder);
  const own = names.filter((name) => name.startsWith(`${id}_`));
  await Promise.all(own.map((name) => rm(join(stateFolder, name), { force: true })));
}
