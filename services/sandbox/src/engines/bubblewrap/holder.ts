import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { etcFiles } from '../../engine/confine.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import { bareEnvironment } from '../../host/bare-environment.ts';
import { memoryDirectory } from './arguments.ts';

/** The process that keeps the namespaces and the memory of a box while it is warm. */
export interface Holder {
  readonly pid: number;
  /** Resolves with a sentence when it has ended. */
  readonly ended: Promise<string>;
  end(): Promise<void>;
}

export interface HolderOptions {
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  readonly limits: BoxLimits;
  readonly hasNetwork: boolean;
}

/**
 * Starts a holder. Its home is a file system in memory that only its mount namespace has: the home goes with the
 * process. The holder ends when its standard input does, and so with this process, even one that is killed.
 */
export async function startHolder(options: HolderOptions): Promise<Holder> {
  const { owner, limits, hasNetwork } = options;
  const namespaces = ['--user', '--map-root-user', '--mount', '--propagation', 'private'];
  const args = [
    ...namespaces,
    ...(hasNetwork ? ['--net'] : []),
    'sh',
    '-c',
    script(limits, hasNetwork),
  ];
  const child = spawn('unshare', args, {
    ...owner,
    cwd: '/',
    env: bareEnvironment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const words: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (words.length < 5) words.push(line);
  });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => resolve(`the holder ended with ${signal ?? code}`));
  child.once('error', (error) => resolve(error.message));
  child.stdin.on('error', () => undefined);
  const ready = new Promise<'ready'>((found) => {
    child.stdout.once('data', () => found('ready'));
  });
  const state = await Promise.race([ready, ended]);
  if (state !== 'ready') throw new Error([state, ...words].join(': '));
  return {
    pid: child.pid as number,
    ended,
    async end() {
      child.stdin.destroy();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function script({ homeBytes, filesMax }: BoxLimits, hasNetwork: boolean): string {
  const options = `size=${homeBytes},nr_inodes=${filesMax},nosuid,nodev,mode=755`;
  return [
    `mount -t tmpfs -o ${options} sandbox ${memoryDirectory}`,
    `cd ${memoryDirectory}`,
    'mkdir -m 700 home',
    'mkdir -m 1777 tmp shm',
    'mkdir etc',
    ...Object.entries(etcFiles).map(
      ([name, lines]) =>
        `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} > etc/${name}`,
    ),
    ...(hasNetwork ? ['ip link set lo up 2>/dev/null || true'] : []),
    'echo ready',
    'exec cat',
  ].join(' && ');
}
