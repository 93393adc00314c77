import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box, BoxOptions, Command, Engine, FoundEngine } from '../../engine/engine.ts';
import { engineOfBoxes } from '../../engine/engine-of-boxes.ts';
import { problemOf } from '../../engine/first-command.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import { findSystem } from '../../host/system.ts';
import type { Egress } from '../../egress/egress.ts';
import { launchArguments, systemArguments } from './arguments.ts';
import {
  type ControlGroup,
  type ControlGroups,
  findControlGroups,
  readOwnGroups,
} from '../../host/control-groups.ts';
import { type Holder, startHolder } from './holder.ts';
import { launch } from './launch.ts';
import { watchMemory } from './memory-watch.ts';
import { OwnerIds } from './owner-ids.ts';
import { listenInside } from '../../host/listen-inside.ts';
import { makePipes, type Pipes } from '../../host/named-pipes.ts';
import { encodeFilter, seccompFilter } from './seccomp/filter.ts';
import { type Architecture, auditArchitectures } from './seccomp/system-calls.ts';

export interface BubblewrapOptions {
  /** The program; undefined where none was found. */
  readonly binary: string | undefined;
  /** A private directory of this process alone. What an earlier process left in it is removed. */
  readonly directory: string;
  /** The system that commands see: its `/usr` and a few files of `/etc`. */
  readonly rootDirectory: string;
  readonly limits: BoxLimits;
  readonly egress: Egress;
  /** The folder of control groups. `/sys/fs/cgroup` if absent. */
  readonly controlGroupsFolder?: string;
}

/** Everything that the boxes of this engine share. */
interface Shared extends BubblewrapOptions {
  readonly bwrap: string;
  readonly seccomp: string;
  readonly system: readonly string[];
  readonly groups: ControlGroups | undefined;
  readonly owners: OwnerIds;
}

/** Returns the engine if a first command works here, otherwise the reason why not. */
export async function findBubblewrap(options: BubblewrapOptions): Promise<FoundEngine> {
  const { binary, directory, rootDirectory } = options;
  if (process.platform !== 'linux') return { missing: 'bubblewrap runs on Linux only' };
  if (!(process.arch in auditArchitectures))
    return { missing: `there is no filter of system calls for ${process.arch}` };
  if (binary === undefined) return { missing: 'bwrap is not installed' };
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o711 });
  const seccomp = join(directory, 'seccomp.bpf');
  await writeFile(seccomp, encodeFilter(seccompFilter(process.arch as Architecture)));
  const groups = await findControlGroups(await readOwnGroups(options.controlGroupsFolder));
  await groups?.sweep();
  const system = systemArguments(await findSystem(rootDirectory));
  const owners = new OwnerIds(process.getuid?.() === 0);
  const engine = engineOf({ ...options, bwrap: binary, seccomp, system, groups, owners });
  const problem = await problemOf(engine);
  return problem === undefined ? engine : { missing: `bubblewrap does not work here: ${problem}` };
}

function engineOf(shared: Shared): Engine {
  const { groups } = shared;
  const held = groups === undefined ? 'watched memory' : `control groups ${groups.version}`;
  const description = `bubblewrap: namespaces, seccomp, ${held}, home in memory`;
  return engineOfBoxes({ name: 'bubblewrap', description }, (options) => openBox(shared, options));
}

async function openBox(shared: Shared, options: BoxOptions): Promise<Box> {
  const { limits, groups, owners } = shared;
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const part of closing.splice(0).toReversed()) await part().catch(() => undefined);
  };
  try {
    const owner = owners.take();
    closing.push(async () => owners.free(owner));
    const folder = join(shared.directory, options.id);
    await mkdir(folder, { mode: 0o711 });
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const pipes = await makePipes(folder);
    const group = await groups?.create(`${process.pid}-${options.id}`, limits);
    if (group) closing.push(() => group.remove());
    const hasNetwork = options.network.type === 'allowlist';
    const holder = await startHolder({ owner, limits, hasNetwork });
    closing.push(() => holder.end());
    if (options.network.type === 'allowlist') {
      const server = await listenInside({ pid: holder.pid, host: '127.0.0.1', inner: { owner } });
      const { stop } = shared.egress.serve(server, options.network.allowedDomains);
      closing.push(stop);
    }
    const launching = { shared, owner, pipes, group, holder, hasProxy: hasNetwork };
    return {
      run: (command) => runIn(launching, command),
      close,
      lost: holder.ended,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Launching {
  readonly shared: Shared;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  readonly pipes: Pipes;
  readonly group: ControlGroup | undefined;
  readonly holder: Holder;
  readonly hasProxy: boolean;
}

function runIn({ shared, group, holder, ...rest }: Launching, command: Command) {
  const { limits, system, bwrap, seccomp } = shared;
  const { argv } = command;
  const args = launchArguments({ holderPid: holder.pid, system, limits, argv, ...rest });
  const bytesMax = limits.memoryBytes;
  const admit = async (pid: number, kill: (reason: string) => void) => {
    if (!group) return watchMemory(pid, { bytesMax, kill });
    const before = await group.memoryKills();
    await group.add(pid);
    return async () =>
      (await group.memoryKills()) > before
        ? `it used more than ${bytesMax} bytes of memory`
        : undefined;
  };
  return launch({ args, bwrap, seccomp, admit, ...rest }, command);
}
