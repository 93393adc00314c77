import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants } from 'node:fs';
import { mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { constants as system, tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import { bareEnvironment } from '../host/bare-environment.ts';
import { type ControlGroup, findControlGroups, readOwnGroups } from '../host/control-groups.ts';
import { makePipes, openFor, openPipe } from '../host/named-pipes.ts';

export interface SpaceOptions {
  readonly bwrap: string;
  /** The user that it belongs to; that of this process if absent. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  /** It has all users of a machine, by a user namespace. Only root makes one. */
  readonly hasUsers?: boolean;
  /** Arguments of bubblewrap, which end with a first process that says a word when it is ready. */
  readonly args: readonly string[];
  readonly memoryBytes: number;
  readonly cpus: number;
  /** Arguments of `nsenter` beside the process. */
  readonly enter: readonly string[];
  /** The program, with its arguments, that other programs in it begin as. */
  readonly begin: readonly string[];
}

/** Namespaces of this machine in which doubles of clusters and clouds run programs. */
export interface Space {
  /** A process in it. */
  readonly pid: number;
  /** The input of the first process. */
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly ended: Promise<{ readonly exitCode: number; readonly isOverMemory: boolean }>;
  readonly memoryKills: () => Promise<number>;
  exec(argv: readonly string[]): Promise<Program>;
  kill(): void;
}

export interface Program {
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly exited: Promise<number>;
  kill(): void;
}

/** With a `/dev` of its own making bwrap nests a user namespace, which nobody could enter later. */
export const devices = [
  ['--tmpfs', '/dev'],
  ['null', 'zero', 'full', 'random', 'urandom'].flatMap((name) => {
    const path = `/dev/${name}`;
    return ['--dev-bind', path, path];
  }),
  ['--symlink', '/proc/self/fd', '/dev/fd', '--symlink', '/proc/self/fd/0', '/dev/stdin'],
  ['--symlink', '/proc/self/fd/1', '/dev/stdout', '--symlink', '/proc/self/fd/2', '/dev/stderr'],
].flat();

const groups = await findControlGroups(await readOwnGroups());
let started = 0;
const fds = { info: 3, gate: 4, bwrap: 5 } as const;
const wait = `read -r _ <&${fds.gate} || exit 125; exec "$@"`;
const gate = `${wait} ${fds.gate}<&-`;
/** A second gate, behind which the process has users. */
const users = ['unshare', '--user', 'sh', '-c', gate, 'users'];

/** Starts a space with its first process. */
export async function startSpace(options: SpaceOptions): Promise<Space> {
  const { bwrap, owner, memoryBytes, cpus } = options;
  const bounds = { memoryBytes, cpus, homeBytes: 0, filesMax: 0, processesMax: 4_096 };
  const group = await groups?.create(`${process.pid}-space-${++started}`, bounds);
  const opened: number[] = [];
  const binary = await openFor(opened, bwrap, constants.O_RDONLY);
  const program = [`/proc/self/fd/${fds.bwrap}`, '--info-fd', String(fds.info), ...options.args];
  const first = options.hasUsers ? ['-c', wait, 'gate', ...users] : ['-c', gate, 'gate'];
  const child = spawn('sh', [...first, ...program], {
    ...owner,
    cwd: '/',
    env: bareEnvironment,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe', binary],
  });
  for (const fd of opened) closeSync(fd);
  const exited = exitOf(child);
  child.stdin?.on('error', () => undefined);
  const told = pidIn(child.stdio[fds.info] as Socket);
  if (child.pid !== undefined) await group?.add(child.pid);
  const opening = child.stdio[fds.gate] as Socket;
  opening.on('error', () => undefined).write('go\n');
  if (options.hasUsers && child.pid !== undefined) {
    await giveUsers(child.pid);
    opening.write('go\n');
  }
  opening.end();
  const pid = await told;
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  const memoryKills = async () => (await group?.memoryKills()) ?? 0;
  const ended = exited.then(async (exitCode) => {
    const isOverMemory = (await memoryKills()) > 0;
    await group?.remove();
    return { exitCode, isOverMemory };
  });
  return {
    pid,
    stdin: child.stdin as NonNullable<typeof child.stdin>,
    ended,
    memoryKills,
    exec: (argv) => execIn(options, { pid, group, argv }),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Maps all users once the process has a user namespace of its own. */
async function giveUsers(pid: number): Promise<void> {
  const namespaceOf = (one: number | 'self') => readlink(`/proc/${one}/ns/user`);
  await until(async () => (await namespaceOf(pid)) !== (await namespaceOf('self')));
  for (const map of ['uid_map', 'gid_map']) await writeFile(`/proc/${pid}/${map}`, '0 0 65536');
}

async function pidIn(info: Socket): Promise<number> {
  let text = '';
  for await (const chunk of info) if ((text += String(chunk)).includes('}')) break;
  return (JSON.parse(text) as { 'child-pid': number })['child-pid'];
}

interface Executed {
  readonly pid: number;
  readonly group: ControlGroup | undefined;
  readonly argv: readonly string[];
}

/** Runs a program beside the first one, as a container runtime does: it goes on when its caller leaves. */
async function execIn(
  { owner, enter, begin }: SpaceOptions,
  { pid, group, argv }: Executed,
): Promise<Program> {
  const place = await mkdtemp(join(tmpdir(), 'sluice-space-'));
  const pipes = await makePipes(place);
  const opened: number[] = [];
  const readers: Socket[] = [];
  const outputs = [
    await openPipe(pipes.stdout, opened, readers),
    await openPipe(pipes.stderr, opened, readers),
  ] as const;
  const target = ['--target', String(pid)];
  const admitted = 'read -r _ <&3 || exit 125; exec "$@" 3<&-';
  const child = spawn(
    'sh',
    ['-c', admitted, 'gate', 'nsenter', ...enter, ...target, ...begin, ...argv],
    {
      ...owner,
      cwd: '/',
      env: bareEnvironment,
      stdio: ['pipe', ...outputs, 'pipe'],
    },
  );
  for (const fd of opened) closeSync(fd);
  child.stdin?.on('error', () => undefined);
  if (child.pid !== undefined) await group?.add(child.pid);
  (child.stdio[3] as Socket).on('error', () => undefined).end('go\n');
  const exited = exitOf(child).then(async (code) => {
    await rm(place, { recursive: true, force: true });
    return code;
  });
  const [stdout, stderr] = readers as [Socket, Socket];
  return {
    stdin: child.stdin as NonNullable<typeof child.stdin>,
    stdout,
    stderr,
    exited,
    kill: () => void child.kill('SIGKILL'),
  };
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal ? system.signals[signal] : 0)),
    );
    child.once('error', reject);
  });
}
