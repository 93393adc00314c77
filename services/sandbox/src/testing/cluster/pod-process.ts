import { connect, type Server } from 'node:net';
import { systemArguments } from '../../engines/bubblewrap/arguments.ts';
import { OwnerIds } from '../../engines/bubblewrap/owner-ids.ts';
import type { PodManifest } from '../../engines/kubernetes/pod.ts';
import { listenInside } from '../../host/listen-inside.ts';
import { findSystem } from '../../host/system.ts';
import { devices, type Space, startSpace } from '../space.ts';

export interface PodRun extends Pick<Space, 'stdin' | 'ended' | 'exec'> {
  end(): Promise<void>;
}

export interface PodSurroundings {
  readonly bwrap: string;
  readonly address: string;
  /** The port of the egress proxy that the pod's own port leads to. Undefined: a network without a way out. */
  readonly proxyPort: number | undefined;
}

const owners = new OwnerIds(process.getuid?.() === 0);
const watchMs = 50;
const dropped = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--'];

/** Runs what a manifest describes in namespaces: its first process, its volumes in memory, and its limits. */
export async function runPod(
  { spec }: PodManifest,
  { bwrap, address, proxyPort }: PodSurroundings,
): Promise<PodRun> {
  const [container] = spec.containers;
  if (!container) throw new Error('a pod has a container');
  const { limits } = container.resources;
  const owner = owners.take();
  const size = spec.volumes[0]?.emptyDir.sizeLimit ?? '0';
  const memory = container.volumeMounts.flatMap(({ mountPath }) => {
    const volume = ['--size', size, '--perms', '0777', '--tmpfs'];
    return [...volume, mountPath];
  });
  const user = String(spec.securityContext.runAsUser);
  const folder = container.workingDir;
  const space = await startSpace({
    bwrap,
    owner,
    args: [
      ['--unshare-all', '--as-pid-1', '--new-session', '--die-with-parent', '--cap-drop', 'ALL'],
      ['--uid', user, '--gid', user, '--hostname', spec.hostname, '--clearenv'],
      ['--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'KUBERNETES_SERVICE_HOST', '127.0.0.1'],
      systemArguments(await findSystem('/')),
      ['--proc', '/proc', ...devices, ...memory],
      ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', folder],
      ['--', ...container.command],
    ].flat(),
    memoryBytes: Number(limits.memory),
    cpus: Number(limits.cpu.replace('m', '')) / 1_000,
    enter: ['--user', '--preserve-credentials', '--mount', '--pid', '--net', '--ipc', '--uts'],
    begin: ['sh', '-c', 'cd "$0" && exec "$@"', folder, 'setpriv', ...dropped],
  });
  const inner = { pid: space.pid, host: '127.0.0.1', inner: { owner } };
  const door =
    proxyPort === undefined ? undefined : await listenInside({ ...inner, port: proxyPort });
  if (door && proxyPort !== undefined) leadTo(door, { port: proxyPort, address });
  // With control groups of version 2 Kubernetes lets the kernel end the whole container (`memory.oom.group`).
  const watch = setInterval(
    () => void space.memoryKills().then((count) => count > 0 && space.kill()),
    watchMs,
  );
  const ended = space.ended.then((end) => {
    clearInterval(watch);
    door?.close();
    owners.free(owner);
    return end;
  });
  return {
    stdin: space.stdin,
    ended,
    exec: (argv) => space.exec(argv),
    async end() {
      space.kill();
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
