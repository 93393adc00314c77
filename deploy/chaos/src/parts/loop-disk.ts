import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@sluice/patience';

/** An ext4 file system in a file, whose power can be cut. Its owner alone sees it mounted. */
export interface LoopDisk extends AsyncDisposable {
  /** The mount point. */
  readonly path: string;
  /** Stops all writes to the disk. Data that was not synced before is lost. */
  cutPower(): Promise<void>;
  /** Mounts the disk again, after a cut. */
  mountAgain(): Promise<void>;
}

const run = promisify(execFile);
const imageBytes = 4 * 1024 ** 3;

/**
 * FS_IOC_SHUTDOWN with the flag NOLOGFLUSH: not even the journal is written any more. Node.js has no
 * ioctl, Perl is part of every Debian.
 */
const shutDown = [
  'sysopen(my $directory, $ARGV[0], 0) or die "open: $!\\n";',
  'my $flags = pack("L", 2);',
  'ioctl($directory, 0x8004587D, $flags) or die "ioctl: $!\\n";',
].join(' ');

/** Makes and mounts a file system in `folder`. It takes only the room that is written to. */
export async function makeLoopDisk(folder: string): Promise<LoopDisk> {
  const own = await mkdtemp(join(folder, 'disk-'));
  const [image, path] = [join(own, 'disk.img'), join(own, 'disk')];
  await mkdir(path);
  const file = await open(image, 'wx', 0o600);
  await file.truncate(imageBytes);
  await file.close();
  await run('mkfs.ext4', ['-q', image]);
  let isMounted = false;
  const mount = async () => {
    await run('mount', ['-o', 'loop', image, path]);
    isMounted = true;
  };
  const unmount = async () => {
    if (!isMounted) return;
    // A process that was killed may still hold a file for a moment.
    await eventually(() => run('umount', [path]), { everyMs: 50, sameLooksMax: 200 });
    isMounted = false;
  };
  await mount();
  return {
    path,
    async cutPower() {
      await run('perl', ['-e', shutDown, path]);
    },
    async mountAgain() {
      await unmount();
      await mount();
    },
    [Symbol.asyncDispose]: unmount,
  };
}

/** Tries one cut in `folder`. Returns why power cannot be cut here, or undefined when it can. */
export async function cutObstacle(folder: string): Promise<string | undefined> {
  try {
    await using disk = await makeLoopDisk(folder);
    await writeFile(join(disk.path, 'unsynced'), 'gone');
    await disk.cutPower();
    await disk.mountAgain();
    const kept = (await readdir(disk.path)).includes('unsynced');
    return kept ? 'a disk that is cut keeps here what was not synced' : undefined;
  } catch (error) {
    return `a file system in a file cannot be mounted and cut here (${lastLine(error as Error)})`;
  }
}

/** Returns the last line of an error of a command. */
export function lastLine({ message }: Error): string {
  return message.trim().split('\n').at(-1) ?? '';
}
