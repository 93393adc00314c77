import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { boxEnvironment, confined, proxyPort } from '../../engine/confine.ts';
import {
  type Box,
  type BoxOptions,
  type Command,
  type Engine,
  type FoundEngine,
  homeDirectory,
} from '../../engine/engine.ts';
import { engineOfBoxes } from '../../engine/engine-of-boxes.ts';
import { problemOf } from '../../engine/first-command.ts';
import { type Execution, follow, sweepUntil, within } from '../../engine/follow.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import type { Egress } from '../../egress/egress.ts';
import {
  type ControlGroup,
  type ControlGroups,
  findControlGroups,
  readOwnGroups,
} from '../../host/control-groups.ts';
import { listenInside } from '../../host/listen-inside.ts';
import { makePipes, openPipe, type Pipes } from '../../host/named-pipes.ts';
import { findSystem, type SystemPart } from '../../host/system.ts';
import { makeRootFolder, writeBundle } from './bundle.ts';
import { makeNetworks, proxyHost } from './inner-network.ts';
import { type Container, exec, type RunscOptions, startContainer } from './runsc.ts';

export interface GvisorOptions {
  /** The program `runsc`; undefined where none was found. */
  readonly binary: string | undefined;
  /** A private directory of this process alone. What an earlier process left in it is removed. */
  readonly directory: string;
  /** The system that commands see: its `/usr` and a few files of `/etc`. */
  readonly rootDirectory: string;
  readonly limits: BoxLimits;
  readonly egress: Egress;
}

/** Everything that the boxes of this engine share. */
interface Shared extends GvisorOptions, RunscOptions {
  readonly binary: string;
  readonly rootFolder: string;
  readonly system: readonly SystemPart[];
  readonly groups: ControlGroups;
}

/** Returns the engine if a first command works here, otherwise the reason why not. */
export async function findGvisor(options: GvisorOptions): Promise<FoundEngine> {
  const { binary, directory, rootDirectory } = options;
  if (process.platform !== 'linux') return { missing: 'gVisor runs on Linux only' };
  if (binary === undefined) return { missing: 'runsc is not installed' };
  if (process.getuid?.() !== 0) return { missing: 'gVisor needs root' };
  const groups = await findControlGroups(await readOwnGroups());
  if (!groups) return { missing: 'gVisor needs control groups, which bound its memory' };
  // It ends what an earlier process left running, before its files are removed.
  await groups.sweep();
  await rm(directory, { recursive: true, force: true });
  const stateFolder = join(directory, 'state');
  const rootFolder = join(directory, 'root');
  await mkdir(stateFolder, { recursive: true, mode: 0o711 });
  const system = await findSystem(rootDirectory);
  await makeRootFolder(rootFolder, system);
  const engine = engineOf({ ...options, binary, stateFolder, rootFolder, system, groups });
  const problem = await problemOf(engine);
  return problem === undefined ? engine : { missing: `gVisor does not work here: ${problem}` };
}

function engineOf(shared: Shared): Engine {
  const description = `gvisor: a kernel of its own, control groups ${shared.groups.version}, home in memory`;
  return engineOfBoxes({ name: 'gvisor', description }, (options) => openBox(shared, options));
}

const mebibyte = 1_048_576;
/** Memory and threads of gVisor itself. The processes of the box are bounded inside. */
const ownMemoryBytes = 128 * mebibyte;
const ownThreads = 512;

async function openBox(shared: Shared, options: BoxOptions): Promise<Box> {
  const { limits, groups, system, rootFolder } = shared;
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const part of closing.splice(0).toReversed()) await part().catch(() => undefined);
  };
  try {
    const bundle = join(shared.directory, options.id);
    const group = await groups.create(`${process.pid}-gvisor-${options.id}`, {
      ...limits,
      memoryBytes: limits.memoryBytes + ownMemoryBytes,
      processesMax: limits.processesMax * 4 + ownThreads,
    });
    closing.push(() => group.remove());
    let networkPath: string | undefined;
    if (options.network.type === 'allowlist') {
      const networks = await makeNetworks();
      closing.push(() => networks.end());
      const server = await listenInside({ pid: networks.proxyPid, host: proxyHost });
      const { stop } = shared.egress.serve(server, options.network.allowedDomains);
      closing.push(stop);
      networkPath = networks.boxPath;
    }
    await writeBundle({ folder: bundle, rootFolder, system, limits, networkPath });
    closing.push(() => rm(bundle, { recursive: true, force: true }));
    const pipes = await makePipes(bundle);
    const hasNetwork = networkPath !== undefined;
    const admit = (pid: number) => group.add(pid);
    const id = `${process.pid}-${options.id}`;
    const container = await startContainer({ ...shared, id, bundle, networkPath, admit });
    closing.push(() => container.end());
    return {
      run: (command) => runIn({ shared, container, group, pipes, hasNetwork }, command),
      close,
      lost: container.ended,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Running {
  readonly shared: Shared;
  readonly container: Container;
  readonly group: ControlGroup;
  readonly pipes: Pipes;
  readonly hasNetwork: boolean;
}

const sweepDeadlineMs = 10_000;

/** Ends all processes of the box but its init and itself. */
const sweep =
  'sweep() { for round in {1..100}; do kill -9 -1 2>/dev/null; set -- /proc/[0-9]*; ' +
  '[ "$#" -le 2 ] && return; sleep 0.01; done; }';
/** Begins a command as the user of the box, and ends what it leaves behind. The command cannot end this process. */
const supervise = [
  sweep,
  'setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all --ambient-caps=-all ' +
    '--bounding-set=-all --no-new-privs -- "$@"',
  'code=$?',
  'sweep',
  'exit $code',
].join('; ');

async function runIn(running: Running, command: Command) {
  const { container, group, shared } = running;
  const killsBefore = await group.memoryKills();
  const opened: number[] = [];
  const readers: Socket[] = [];
  const outputs = [
    await openPipe(running.pipes.stdout, opened, readers),
    await openPipe(running.pipes.stderr, opened, readers),
  ] as const;
  const [stdout, stderr] = readers as [Socket, Socket];
  const start = (): Execution => {
    const child = execIn(running, command, outputs);
    for (const fd of opened.splice(0)) closeSync(fd);
    let isEnded = false;
    let killing: Promise<void> | undefined;
    const ended = exitOf(child).then(async (exitCode) => {
      isEnded = true;
      // It would end the next command, too.
      await killing;
      if ((await group.memoryKills()) === killsBefore) return { exitCode };
      // The kernel may have ended any part of it.
      await container.end();
      return { exitCode, overLimit: usedTooMuch(shared.limits.memoryBytes) };
    });
    return {
      stdout,
      stderr,
      ended,
      kill() {
        if (!isEnded) killing ??= killAll(running, child);
      },
    };
  };
  try {
    return await follow(start, command);
  } finally {
    for (const reader of readers) reader.destroy();
  }
}

const usedTooMuch = (bytes: number) =>
  `the container used more than ${bytes} bytes of memory: it ended, with its files`;

function execIn(
  { shared, container, hasNetwork }: Running,
  command: Command,
  outputs: readonly [number, number],
): ChildProcess {
  const proxy = hasNetwork ? `http://${proxyHost}:${proxyPort}` : undefined;
  const words = confined(shared.limits, command.argv);
  const child = exec(
    {
      ...shared,
      container: container.id,
      environment: boxEnvironment(proxy),
      folder: homeDirectory,
      argv: ['/bin/bash', '--norc', '-c', supervise, 'sandbox', ...words],
    },
    [command.input ? 'pipe' : 'ignore', ...outputs],
  );
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(command.input);
  return child;
}

/** Ends all processes of a box, or else the box. */
async function killAll({ shared, container }: Running, child: ChildProcess): Promise<void> {
  const argv = ['/bin/bash', '--norc', '-c', `${sweep}; sweep`];
  const asked = { ...shared, container: container.id, environment: {}, folder: '/', argv };
  const sweepOnce = async () => {
    const killing = exec(asked, ['ignore', 'ignore', 'ignore']);
    if (!(await within(exitOf(killing), sweepDeadlineMs))) killing.kill('SIGKILL');
  };
  if (await sweepUntil(exitOf(child), sweepOnce, sweepDeadlineMs)) return;
  child.kill('SIGKILL');
  await container.end();
}

function exitOf(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const statusOf = (code: number | null, signal: NodeJS.Signals | null) =>
    code ?? 128 + (signal ? constants.signals[signal] : 0);
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(statusOf(child.exitCode, child.signalCode));
  child.once('exit', (code, signal) => resolve(statusOf(code, signal)));
  child.once('error', reject);
  return promise;
}
