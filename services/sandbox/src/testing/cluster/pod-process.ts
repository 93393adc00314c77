import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Server, type Socket } from 'node:net';
import { constants as system } from 'node:os';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OwnerIds } from '../../engines/bubblewrap/owner-ids.ts';
import type { PodManifest } from '../../engines/kubernetes/pod.ts';
import { systemArguments } from '../../engines/bubblewrap/arguments.ts';
import { bareEnvironment } from '../../host/bare-environment.ts';
import { type ControlGroup, findControlGroups, readOwnGroups } from '../../host/control-groups.ts';
import { listenInside } from '../../host/listen-inside.ts';
import { makePipes, openFor, openPipe } from '../../host/named-pipes.ts';
import { findSystem } from '../../host/system.ts';

export interface PodRun {
  /** The input of the first process. */
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly ended: Promise<{ readonly exitCode: number; readonly isOverMemory: boolean }>;
  exec(argv: readonly string[]): Promise<PodExec>;
  end(): Promise<void>;
}

export interface PodExec {
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly exited: Promise<number>;
}

export interface PodSurroundings {
  readonly bwrap: string;
  readonly address: string;
  /** The port of the egress proxy that the pod's own port leads to. Undefined: a network without a way out. */
  readonly proxyPort: number | undefined;
}

const owners = new OwnerIds(process.getuid?.() === 0);
const groups = await findControlGroups(await readOwnGroups());
let started = 0;
const watchMs = 50;
const fds = { info: 3, gate: 4, bwrap: 5 } as const;
const gate = `read -r _ <&${fds.gate} || exit 125; exec "$@" ${fds.gate}<&-`;

/** With a `/dev` of its own making bwrap nests a user namespace, which nobody could enter later. */
const devices = [
  ['--tmpfs', '/dev'],
  ['null', 'zero', 'full', 'random', 'urandom'].flatMap((name) => {
    const path = `/dev/${name}`;
    return ['--dev-bind', path, path];
  }),
  ['--symlink', '/proc/self/fd', '/dev/fd', '--symlink', '/proc/self/fd/0', '/dev/stdin'],
  ['--symlink', '/proc/self/fd/1', '/dev/stdout', '--symlink', '/proc/self/fd/2', '/dev/stderr'],
].flat();

/** Runs what a manifest describes in namespaces: its first process, its volumes in memory, and its limits. */
export async function runPod(
  { spec }: PodManifest,
  { bwrap, address, proxyPort }: PodSurroundings,
): Promise<PodRun> {
  const [container] = spec.containers;
  if (!container) throw new Error('a pod has a container');
  const { limits } = container.resources;
  const bytes = (text: string) => Number(text);
  const owner = owners.take();
  const group = await groups?.create(`${process.pid}-pod-${++started}`, {
    memoryBytes: bytes(limits.memory),
    homeBytes: 0,
    filesMax: 0,
    processesMax: 4_096,
    cpus: Number(limits.cpu.replace('m', '')) / 1_000,
  });
  const opened: number[] = [];
  const binary = await openFor(opened, bwrap, constants.O_RDONLY);
  const size = spec.volumes[0]?.emptyDir.sizeLimit ?? '0';
  const memory = container.volumeMounts.flatMap(({ mountPath }) => {
    const volume = ['--size', size, '--perms', '0777', '--tmpfs'];
    return [...volume, mountPath];
  });
  const user = String(spec.securityContext.runAsUser);
  const args = [
    ['-c', gate, 'gate', `/proc/self/fd/${fds.bwrap}`, '--info-fd', String(fds.info)],
    ['--unshare-all', '--as-pid-1', '--new-session', '--die-with-parent', '--cap-drop', 'ALL'],
    ['--uid', user, '--gid', user, '--hostname', spec.hostname, '--clearenv'],
    ['--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'KUBERNETES_SERVICE_HOST', '127.0.0.1'],
    systemArguments(await findSystem('/')),
    ['--proc', '/proc', ...devices, ...memory],
    ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', container.workingDir],
    ['--', ...container.command],
  ].flat();
  const child = spawn('sh', args, {
    ...owner,
    cwd: '/',
    env: bareEnvironment,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe', binary],
  });
  for (const fd of opened) closeSync(fd);
  const exited = exitOf(child);
  child.stdin?.on('error', () => undefined);
  const info = child.stdio[fds.info] as Socket;
  const told = (async () => {
    let text = '';
    for await (const chunk of info) if ((text += String(chunk)).includes('}')) break;
    return (JSON.parse(text) as { 'child-pid': number })['child-pid'];
  })();
  if (child.pid !== undefined) await group?.add(child.pid);
  (child.stdio[fds.gate] as Socket).end('go\n');
  const pid = await told;
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  const inner = { pid, host: '127.0.0.1', inner: { owner } };
  const door =
    proxyPort === undefined ? undefined : await listenInside({ ...inner, port: proxyPort });
  if (door && proxyPort !== undefined) leadTo(door, { port: proxyPort, address });
  const kill = () => child.kill('SIGKILL');
  const memoryKills = async () => (await group?.memoryKills()) ?? 0;
  // With control groups of version 2 Kubernetes lets the kernel end the whole container (`memory.oom.group`).
  const watch = setInterval(() => void memoryKills().then((count) => count > 0 && kill()), watchMs);
  const ended = exited.then(async (exitCode) => {
    clearInterval(watch);
    door?.close();
    const isOverMemory = (await memoryKills()) > 0;
    await group?.remove();
    owners.free(owner);
    return { exitCode, isOverMemory };
  });
  return {
    stdin: child.stdin as NonNullable<typeof child.stdin>,
    ended,
    exec: (argv) => execIn({ pid, owner, group, folder: container.workingDir }, argv),
    async end() {
      kill();
      await ended;
    },
  };
}

/** The network of the cluster: a connection comes from the address of its pod. */
function leadTo(door: Server, { port, address }: { port: number; address: string }): void {
  door.on('connection', (inside) => {
    const outside = connect({ port, host: '127.0.0.1', localAddress: address });
    inside.on('error', () => outside.destroy()).once('close', () => outside.destroy());
    outside.on('error', () => inside.destroy()).once('close', () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
}

interface Entered {
  readonly pid: number;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  readonly group: ControlGroup | undefined;
  readonly folder: string;
}

const dropped = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];

/** Runs a program beside the first process, as a container runtime does: it goes on when its caller leaves. */
async function execIn(entered: Entered, argv: readonly string[]): Promise<PodExec> {
  const { pid, owner, group, folder } = entered;
  const place = await mkdtemp(join(tmpdir(), 'sluice-pod-'));
  const pipes = await makePipes(place);
  const opened: number[] = [];
  const readers: Socket[] = [];
  const outputs = [
    await openPipe(pipes.stdout, opened, readers),
    await openPipe(pipes.stderr, opened, readers),
  ] as const;
  const enter = ['nsenter', '--user', '--preserve-credentials', '--mount', '--pid', '--net'];
  const within = ['--ipc', '--uts', '--target', String(pid)];
  const inside = ['sh', '-c', 'cd "$0" && exec "$@"', folder, 'setpriv', ...dropped, '--', ...argv];
  const wait = 'read -r _ <&3 || exit 125; exec "$@" 3<&-';
  const child = spawn('sh', ['-c', wait, 'gate', ...enter, ...within, ...inside], {
    ...owner,
    cwd: '/',
    env: bareEnvironment,
    stdio: ['pipe', ...outputs, 'pipe'],
  });
  for (const fd of opened) closeSync(fd);
  child.stdin?.on('error', () => undefined);
  if (child.pid !== undefined) await group?.add(child.pid);
  (child.stdio[3] as Socket).on('error', () => undefined).end('go\n');
  const exited = exitOf(child).then(async (code) => {
    await rm(place, { recursive: true, force: true });
    return code;
  });
  const [stdout, stderr] = readers as [Socket, Socket];
  return { stdin: child.stdin as NonNullable<typeof child.stdin>, stdout, stderr, exited };
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal ? system.signals[signal] : 0)),
    );
    child.once('error', reject);
  });
}
