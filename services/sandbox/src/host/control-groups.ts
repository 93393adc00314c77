import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BoxLimits } from '../engine/limits.ts';

/** The control group of one box: limits of all its processes together. */
export interface ControlGroup {
  add(pid: number): Promise<void>;
  /** Returns how often the kernel ended a process because of its memory. */
  memoryKills(): Promise<number>;
  /** Ends its processes and removes it. */
  remove(): Promise<void>;
}

export interface ControlGroups {
  readonly version: 1 | 2;
  /** The id begins with the process that it belongs to. */
  create(id: `${number}-${string}`, limits: BoxLimits): Promise<ControlGroup>;
  /** Removes the groups of processes that are gone. */
  sweep(): Promise<void>;
}

export interface Surroundings {
  /** `/sys/fs/cgroup` */
  readonly root: string;
  /** The text of `/proc/self/cgroup`. */
  readonly own: string;
}

/** Returns the surroundings of this process. */
export async function readOwnGroups(root = '/sys/fs/cgroup'): Promise<Surroundings> {
  return { root, own: await readText('/proc/self/cgroup') };
}

const folderName = 'sluice-sandbox';
const periodUs = 100_000;
const removalTries = 100;
const removalPauseMs = 20;

/** Returns the control groups that this process may make; undefined where it may not. */
export async function findControlGroups(
  surroundings: Surroundings,
): Promise<ControlGroups | undefined> {
  return (await versionTwo(surroundings)) ?? (await versionOne(surroundings));
}

/** The groups of version 2 lie in our own group or beside it, wherever the controllers are handed down. */
async function versionTwo({ root, own }: Surroundings): Promise<ControlGroups | undefined> {
  const path = /^0::(\/.*)$/m.exec(own)?.[1];
  if (path === undefined) return undefined;
  const mine = join(root, path);
  for (const parent of new Set([mine, path === '/' ? mine : dirname(mine)])) {
    const base = join(parent, folderName);
    // The folder where the hierarchies of version 1 are mounted looks alike, and is a plain one.
    if (!(await readText(join(parent, 'cgroup.controllers'))).includes('memory')) continue;
    // It fails where the parent has processes of its own, or is not ours.
    await write(join(parent, 'cgroup.subtree_control'), '+memory +pids +cpu');
    if (!(await makeFolder(base))) continue;
    await write(join(base, 'cgroup.subtree_control'), '+memory +pids +cpu');
    const controls = await readText(join(base, 'cgroup.subtree_control'));
    if (['memory', 'pids', 'cpu'].every((name) => controls.split(/\s+/).includes(name)))
      return { version: 2, ...groupsIn([base], settingsOfTwo) };
    await rmdir(base).catch(() => undefined);
  }
  return undefined;
}

async function versionOne({ root, own }: Surroundings): Promise<ControlGroups | undefined> {
  const bases: string[] = [];
  for (const controller of ['memory', 'pids', 'cpu']) {
    const line = own.split('\n').find((one) => one.split(':')[1]?.split(',').includes(controller));
    const path = line?.split(':').slice(2).join(':');
    if (path === undefined) return undefined;
    const base = join(root, controller, path, folderName);
    if (!(await makeFolder(base))) return undefined;
    bases.push(base);
  }
  return { version: 1, ...groupsIn(bases, settingsOfOne) };
}

/** Files and their values; a file that the hierarchy of a controller lacks is passed over. */
type Settings = (limits: BoxLimits) => Readonly<Record<string, string>>;

const settingsOfTwo: Settings = (limits) => ({
  'memory.max': String(limits.memoryBytes + limits.homeBytes),
  'memory.swap.max': '0',
  'memory.oom.group': '0',
  'pids.max': String(limits.processesMax),
  'cpu.max': `${Math.round(limits.cpus * periodUs)} ${periodUs}`,
});

const settingsOfOne: Settings = (limits) => ({
  'memory.limit_in_bytes': String(limits.memoryBytes + limits.homeBytes),
  'memory.swappiness': '0',
  'pids.max': String(limits.processesMax),
  'cpu.cfs_period_us': String(periodUs),
  'cpu.cfs_quota_us': String(Math.round(limits.cpus * periodUs)),
});

/** Files without which a limit would not hold. */
const required = ['memory.max', 'memory.limit_in_bytes', 'pids.max'];

function groupsIn(bases: readonly string[], settings: Settings): Omit<ControlGroups, 'version'> {
  return {
    async create(id, limits) {
      const folders = bases.map((base) => join(base, id));
      for (const folder of folders) {
        await mkdir(folder, { recursive: true });
        const files = new Set(await readdir(folder));
        for (const [name, value] of Object.entries(settings(limits)))
          if (files.has(name)) {
            const written = await write(join(folder, name), value);
            if (!written && required.includes(name))
              throw new Error(`the control group refuses ${name}`);
          }
      }
      return groupOf(folders);
    },
    async sweep() {
      for (const base of bases)
        for (const entry of await readdir(base, { withFileTypes: true }).catch(() => []))
          if (entry.isDirectory() && !(await isRunning(Number(entry.name.split('-')[0]))))
            await removeGroup(join(base, entry.name));
    },
  };
}

function groupOf(folders: readonly string[]): ControlGroup {
  return {
    async add(pid) {
      for (const folder of folders) await writeFile(join(folder, 'cgroup.procs'), String(pid));
    },
    async memoryKills() {
      const texts = await Promise.all(
        folders.flatMap((folder) =>
          ['memory.events', 'memory.oom_control'].map((name) => readText(join(folder, name))),
        ),
      );
      return texts.reduce((sum, text) => sum + Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0), 0);
    },
    async remove() {
      for (const folder of folders) await removeGroup(folder);
    },
  };
}

/** A group can be removed once its last process is gone, which takes a moment after the signal. */
async function removeGroup(folder: string): Promise<void> {
  for (let tried = 0; tried < removalTries; tried++) {
    for (const pid of (await readText(join(folder, 'cgroup.procs'))).split('\n').filter(Boolean))
      kill(Number(pid));
    const failure = await rmdir(folder).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (failure === undefined || failure === 'ENOENT') return;
    await delay(removalPauseMs);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

const isRunning = async (pid: number) => (await readText(`/proc/${pid}/cmdline`)) !== '';

/** Returns false where this process may not make groups in the folder: another user may have made it. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await access(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const write = (path: string, text: string) =>
  writeFile(path, text).then(
    () => true,
    () => false,
  );

const readText = (path: string) => readFile(path, 'utf8').catch(() => '');
